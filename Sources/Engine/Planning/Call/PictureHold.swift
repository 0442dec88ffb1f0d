import TesseraCodecs
import TesseraPlan
import TesseraRecordings
import TesseraTimeline

/// The rule for holding a track's last picture where no new one comes, in the middle of a recording
/// and at its end alike.
///
/// Browsers write no picture while a canvas or a screen stands still. Another stream of the
/// recording that continues shows that the recorder still ran.
struct PictureHold {
  let frameRate: FrameRate
  /// The value of `--freeze-after`: zero is without a limit; nil if it is not given.
  let freezeAfter: MediaTime?

  /// The value of `--freeze-after` for cameras, if it is not given.
  private static let usual = MediaTime(seconds: 5)

  /// The number of frames for which a picture of a track of `kind` is held; nil is without a limit.
  private func limit(of kind: TrackKind) -> Int? {
    let limit: MediaTime? =
      switch kind {
      case .screen, .still: nil
      case .media: freezeAfter
      case .camera, .microphone, .screenAudio: freezeAfter ?? Self.usual
      }
    return limit.flatMap { $0 > .zero ? max(1, frameRate.firstFrame(showing: $0)) : nil }
  }

  /// The take of `track`, which is of `kind`, and of whose recording other streams continue until
  /// frame `end`.
  func take(of track: Plan.Track, _ kind: TrackKind, recordedUntil end: Int) -> Person.Take {
    let end = max(end, track.frames.upperBound)
    guard let limit = limit(of: kind) else {
      let heldUntil = self.limit(of: .camera).map { end + $0 } ?? .max
      return Person.Take(
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
    return Person.Take(track: track, shown: ranges.merged, heldUntil: last + limit)
  }
}
