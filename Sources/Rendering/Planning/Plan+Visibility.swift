import TesseraLayout
import TesseraMedia
import TesseraTimeline

extension Plan {
  /// The frames from the first in which the tile of participant number `index` is drawn to the
  /// last: fewer than its ``Participant/presence`` where others take its place, and more while it
  /// leaves. Empty where it is never drawn.
  public func visibility(of index: Int) -> Range<Int> {
    let rate = output.video.frameRate
    let end = rate.time(ofFrame: frameCount)
    guard let visible = layout.visibility(of: index, before: end) else { return 0..<0 }
    return rate.firstFrame(at: visible.start)..<rate.firstFrame(at: visible.end)
  }
}

extension FrameRate {
  /// The first frame that does not begin before `time`.
  fileprivate func firstFrame(at time: MediaTime) -> Int {
    let nearest = firstFrame(showing: time)
    return self.time(ofFrame: nearest) < time ? nearest + 1 : nearest
  }
}
