import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraTimeline

extension Rendition {
  /// The frames that are rendered of a timeline that ends at `end`, with `last` who is there last.
  ///
  /// - Throws: where there are none, or they take longer than `longestDuration`.
  func frames(
    before end: MediaTime, last person: String? = nil, longestDuration: MediaTime
  ) throws(RenderError) -> Range<Int> {
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
    let duration = rate.time(ofFrame: last) - rate.time(ofFrame: first)
    guard duration <= longestDuration else {
      throw RenderError(
        .usage,
        "the video would be \(duration.clock) long, and --max-duration allows "
          + "\(longestDuration.clock)\(person.map { "; \($0) is there last" } ?? ""). Raise "
          + "--max-duration where that is right, or take a part with --from and --to.")
    }
    return first..<last
  }
}
