import Foundation
import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// Makes several plans of one call and shares everything that was read and decoded among them. Not
/// thread-safe.
struct PlanningSession {
  private let call: CallRequest
  private let cancellation: Cancellation
  private let findings = SoundAnalysisCache()
  private var probes: [String: InputProbe] = [:]

  /// Creates a session for `call` without reading anything.
  init(_ call: CallRequest, _ cancellation: Cancellation) {
    (self.call, self.cancellation) = (call, cancellation)
  }

  /// Returns the plans for `renditions`. Voices that planning the first rendition had to decode are
  /// added to `analyses`.
  mutating func makePlans(
    _ renditions: [Rendition], analyses: VoiceAnalyses? = nil
  ) throws(RenderError) -> [Plan] {
    var inputs: [ImportedCall] = []
    for rendition in renditions {
      var input = call.input
      try rendition.select(&input)
      try requireFiles(of: input)
      inputs.append(input)
    }
    let readers = call.readers(cancellation)
    let unknown = inputs.flatMap(\.files).unique.filter { probes[$0] == nil }
    let found = try InputProbe.probe(unknown, cache: call.cache, readers)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    probes.merge(zip(unknown, found)) { $1 }
    var plans: [Plan] = []
    for (rendition, input) in zip(renditions, inputs) {
      let own = probes.filter { input.files.contains($0.key) }
      try requireUse(of: input, own)
      let analyses =
        (plans.isEmpty ? analyses : nil)
        ?? VoiceAnalyses(cancellation: cancellation)
      analyses.use(readers, call.cache, findings)
      var rendition = rendition
      if rendition.findsFrameRate {
        rendition.output.video.frameRate = .delivered(
          by: own.values.flatMap { $0.pictures() })
      }
      plans.append(
        try PlanningStages(
          PlanningInput(
            call: call, rendition: rendition, input: input, probes: own, findings: findings,
            analyses: analyses, cancellation: cancellation)
        ).plan())
    }
    return plans
  }

  /// Throws if a file that the input names does not exist, unless missing files are allowed.
  private func requireFiles(of input: ImportedCall) throws(RenderError) {
    let missing = input.files.first { !FileOperations.exists($0) }
    guard let missing, !call.allowsMissing else { return }
    let remedy: UserMessage =
      input.files.contains(where: FileOperations.exists)
      ? "check the name, or give \(option: "allow-missing") to render without it."
      : "check the name."
    throw RenderError(
      .failure,
      "cannot open \(file: missing)\(input.role(of: missing).map { ", \($0)" } ?? ""): No such file or "
        + "directory; \(remedy)")
  }

  /// Throws if no input can be rendered, or if none has the requested audio track.
  private func requireUse(
    of input: ImportedCall, _ probes: [String: InputProbe]
  ) throws(RenderError) {
    let found = input.files.compactMap { probes[$0] }
    guard
      found.contains(where: \.isUsable)
        || input.recording.tracks.contains(where: { $0.kind == .still })
    else { throw RenderError(.failure, nothingUsable(found)) }
    if case .named(let name) = call.audioTrack,
      !found.contains(where: { $0.file.map(call.audioTrack.streams) != .some(nil) })
    {
      throw RenderError(
        .usage,
        "\(option: "audio-track") \(name) is in none of the files; give a language, a title or a number."
      )
    }
  }

  private func nothingUsable(_ probes: [InputProbe]) -> UserMessage {
    let sentences = probes.first?.sentences ?? ["the inputs hold nothing."]
    guard probes.count > 1 else { return sentences.joined(separator: " ") }
    let first = sentences.first ?? "the inputs hold nothing."
    return "none of the \(probes.count) inputs can be rendered; the first: \(first)"
  }
}
