import Foundation
public import TesseraJobs
public import TesseraPlan
import TesseraRecordings
public import TesseraSystem

/// Answers all questions about a request: reads the inputs and makes the plan.
public enum Planner {
  /// The plan for `request`. Inputs that cannot be read become cards, with what is wrong among the
  /// losses.
  ///
  /// - Throws: ``RenderError`` where nothing of any input can be rendered, or the request
  ///   contradicts itself.
  public static func plan(
    _ request: RenderRequest, cancellation: Cancellation = Cancellation()
  ) throws(RenderError) -> Plan {
    try plan(request, cancellation: cancellation, analyses: nil)
  }

  /// The plan for `request`, made on a thread of its own; a task that is canceled stops it.
  ///
  /// - Throws: ``RenderError`` where nothing of any input can be rendered, or the request
  ///   contradicts itself.
  public static func plan(_ request: RenderRequest) async throws -> Plan {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        _ = WorkerThreads(count: 1, name: "planning") {
          continuation.resume(
            with: Result { try plan(request, cancellation: cancellation, analyses: nil) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// The plan for `request`, as ``plan(_:cancellation:)`` makes it. The voices that have to be
  /// heard for it are in `analyses` afterwards.
  package static func plan(
    _ request: RenderRequest, cancellation: Cancellation, analyses: VoiceAnalyses?
  ) throws(RenderError) -> Plan {
    var input = try input(request, cancellation)
    try request.select(&input)
    let paths = input.files
    let missing = paths.first { !FileSystem.exists($0) }
    if let missing, !request.allowsMissing {
      throw RenderError(
        .failure,
        "cannot open \(missing)\(input.role(of: missing).map { ", \($0)" } ?? ""): No such file or "
          + "directory; check the name, or give --allow-missing to render without it.")
    }
    let readers = request.readers(cancellation)
    let found = try InputProbe.probe(paths, cache: request.cache, readers)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    guard
      found.contains(where: \.isUsable)
        || input.recording.tracks.contains(where: { $0.kind == .still })
    else { throw RenderError(.failure, nothingUsable(found)) }
    if case .named(let name) = request.audioTrack,
      !found.contains(where: { $0.file.map(request.audioTrack.streams) != .some(nil) })
    {
      throw RenderError(
        .usage,
        "--audio-track \(name) is in none of the files; give a language, a title or a number.")
    }
    let probes = Dictionary(uniqueKeysWithValues: zip(paths, found))
    let analyses = analyses ?? VoiceAnalyses(cancellation: cancellation)
    analyses.use(readers, request.cache)
    return try CallPlanner(request, input, probes, cancellation).plan(analyses)
  }

  private static func input(
    _ request: RenderRequest, _ cancellation: Cancellation
  ) throws(RenderError) -> CallInput {
    if let call = request.call { return call }
    return try CallInput.open(
      request.inputs, cancellation: cancellation)
  }

  private static func nothingUsable(_ probes: [InputProbe]) -> String {
    let sentences = probes.first?.sentences ?? ["the inputs hold nothing."]
    guard probes.count > 1 else { return sentences.joined(separator: " ") }
    let first = sentences.first ?? "the inputs hold nothing."
    return "none of the \(probes.count) inputs can be rendered; the first: \(first)"
  }
}
