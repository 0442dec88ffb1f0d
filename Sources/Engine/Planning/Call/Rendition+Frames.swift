import TesseraCodecs
import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraSystem
import TesseraTimeline

extension Rendition {
  /// Selects the frames to render from a timeline that ends at `end`.
  ///
  /// - Parameters:
  ///   - end: The end of the last recording.
  ///   - edits: The edits of the recording.
  ///   - trim: The idle stretches to leave out; `nil` for none.
  ///   - pauses: Further intervals to cut.
  ///   - person: The participant whose recordings end last, for messages.
  ///   - longestDuration: The maximum duration of the result.
  /// - Returns: The frames to render.
  /// - Throws: ``RenderError`` if no frames are left, or if they are longer than `longestDuration`.
  func cut(
    before end: MediaTime, _ edits: EditList = EditList(), without trim: IdleRangeFinder? = nil,
    pauses: [TimeRange] = [],
    last person: String? = nil,
    longestDuration: MediaTime
  ) throws(RenderError) -> FrameSelection {
    let rate = output.video.frameRate
    let frameCount = rate.frameCount(of: end)
    // If no frame starts between `from` and the end, the last frame is used.
    let latest = from.map { $0 < end } == true ? frameCount - 1 : .max
    let first = from.map { min(rate.firstFrame(showing: $0), latest) } ?? 0
    let last = to.map { min(frameCount, rate.firstFrame(showing: $0)) } ?? frameCount
    guard first < frameCount else {
      let part: UserMessage = partSource.map { "\($0) begins" } ?? "\(option: "from") is"
      throw RenderError(
        .usage,
        part + " past the end of the recordings, which are \(end.clock) long.")
    }
    guard first < last else {
      let sentence: UserMessage =
        "\(option: "to") has to be after \(option: "from"), by a frame at least."
      throw RenderError(.usage, partSource.map { "\($0) is shorter than a frame." } ?? sentence)
    }
    if let time = [cut, edits.list].lazy.compactMap({ $0.place(beyond: end) }).first {
      throw RenderError(
        .usage,
        "a part to keep or cut at \(time.clockWithTenths) is past the end of the recordings, which are "
          + "\(end.clock) long.")
    }
    let asked = cut.intersection(edits.list).intersection(
      KeptRanges(cutting: pauses))
    let list = trim.map { asked.intersection($0.cut) } ?? asked
    let frames = FrameSelection(list, at: rate, frameCount: frameCount).clamped(to: first..<last)
    guard !frames.isEmpty else {
      throw RenderError(
        .usage,
        "nothing is left of the call: the parts to keep and cut leave no frame of \(end.clock); keep more."
      )
    }
    let duration = rate.time(ofFrame: frames.count)
    guard duration <= longestDuration else {
      throw RenderError(
        .usage,
        "the video would be \(duration.clock) long, and \(option: "max-duration") allows "
          + "\(longestDuration.clock)\(person.map { "; \($0) leaves last" } ?? ""). Raise "
          + "\(option: "max-duration") if that is right, or take a part with "
          + "\(option: "from") and \(option: "to")."
      )
    }
    return frames
  }
}
