import TesseraCodecs
import TesseraLayout
import TesseraTimeline

extension Plan {
  /// The frames in which the tile of slot `id` is drawn, while it comes and goes included, as
  /// ranges in ascending order.
  package func visibility(of id: SlotID) -> [Range<Int>] {
    let rate = output.video.frameRate
    return scenes.visibilities(of: id, before: rate.time(ofFrame: frameCount)).map { time in
      rate.firstFrame(
        at: time.start)..<max(
          rate.firstFrame(at: time.start), min(frameCount, rate.firstFrame(at: time.end)))
    }.merged
  }

  /// The frames in which pictures of track `id` are seen.
  ///
  /// A person who leaves keeps the last picture on the way out, so a track is not needed after its end.
  package func wantedFrames(ofTrack id: TrackID) -> [Range<Int>] {
    slots.flatMap { slot in
      let shown = slot.contents.frames(before: frameCount) { $0 == .track(id) }
      return shown.isEmpty ? [] : shown.intersection(visibility(of: slot.id))
    }.merged
  }
}
