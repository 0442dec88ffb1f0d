import TesseraCodecs
import TesseraPlan
import TesseraRecordings
import TesseraTimeline

/// Decides for how long a track's last picture is held while no new one arrives, within a recording
/// and at its end.
///
/// Browsers write no picture while a canvas or screen does not change. If another stream of the
/// recording continues, the recorder was still running.
struct PictureHoldRule {
  let frameRate: FrameRate
  /// The value of `--freeze-after`; zero for no limit, `nil` if it was not given.
  let freezeAfter: MediaTime?

  /// The default of `--freeze-after` for cameras.
  private static let usual = MediaTime(seconds: 5)

  /// Returns the maximum number of frames for which a track of `kind` holds its picture, or `nil`
  /// for no limit.
  private func limit(of kind: TrackKind) -> Int? {
    let limit: MediaTime? =
      switch kind {
      case .screen, .still: nil
      case .media: freezeAfter
      case .camera, .microphone, .screenAudio: freezeAfter ?? Self.usual
      }
    return limit.flatMap { $0 > .zero ? max(1, frameRate.firstFrame(showing: $0)) : nil }
  }

  /// Returns the take of `track`. Other streams of the recording continue until frame `end`.
  func take(of track: Plan.Track, _ kind: TrackKind, recordedUntil end: Int)
    -> PlannedParticipant.PictureStretch
  {
    let end = max(end, track.frames.upperBound)
    guard let limit = limit(of: kind) else {
      let heldUntil = self.limit(of: .camera).map { end + $0 } ?? .max
      return PlannedParticipant.PictureStretch(
        track: track, shown: [track.frames.lowerBound..<end], heldUntil: heldUntil)
    }
    let source = track.source
    var (ranges, start, last) = ([Range<Int>](), track.frames.lowerBound, track.frames.lowerBound)
    for packet in source.order {
      let frame = track.clock.firstFrame(showing: source.index.ticks[Int(packet)], at: frameRate)
      guard track.frames.contains(frame) else { continue }
      if frame - last > limit {
        ranges.append(start..<last + limit)
        start = frame
      }
      last = frame
    }
    ranges.append(start..<max(start, min(end, last + limit)))
    return PlannedParticipant.PictureStretch(
      track: track, shown: ranges.merged, heldUntil: last + limit)
  }
}
