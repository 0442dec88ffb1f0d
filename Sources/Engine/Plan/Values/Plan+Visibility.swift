import TesseraCodecs
import TesseraLayout
import TesseraTimeline

extension Plan {
  /// Returns the frames in which the tile of slot `id` is drawn, transitions included, in ascending
  /// order.
  package func visibility(of id: SlotID) -> [Range<Int>] {
    let rate = output.video.frameRate
    return scenes.visibilities(of: id, before: rate.time(ofFrame: frameCount)).map { time in
      rate.firstFrame(
        at: time.start)..<max(
          rate.firstFrame(at: time.start), min(frameCount, rate.firstFrame(at: time.end)))
    }.merged
  }

  /// Returns the frames that show pictures of track `id`.
  ///
  /// They never extend beyond the track's end: the tile of a participant who leaves keeps the last
  /// picture while it disappears.
  package func wantedFrames(ofTrack id: TrackID) -> [Range<Int>] {
    slots.flatMap { slot in
      let shown = slot.contents.frames(before: frameCount) { $0 == .track(id) }
      return shown.isEmpty ? [] : shown.intersection(visibility(of: slot.id))
    }.merged
  }
}
