import TesseraMedia
import TesseraTimeline

extension RenderRequest {
  /// The frames that are rendered of a timeline that ends at `end`.
  ///
  /// - Throws: where there are none.
  func frames(before end: MediaTime) throws(RenderError) -> Range<Int> {
    let rate = output.video.frameRate
    let frameCount = rate.frameCount(of: end)
    // Where no frame begins from there on before the end, the last one.
    let latest = from.map { $0 < end } == true ? frameCount - 1 : .max
    let first = from.map { min(rate.firstFrame(showing: $0), latest) } ?? 0
    let last = to.map { min(frameCount, rate.firstFrame(showing: $0)) } ?? frameCount
    guard first < frameCount else {
      throw RenderError(
        .usage, "--from is past the end of the recordings, which are \(end.clock) long.")
    }
    guard first < last else {
      throw RenderError(.usage, "--to has to be after --from, by a frame at least.")
    }
    return first..<last
  }
}
