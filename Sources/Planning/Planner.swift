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

  /// The plans for `requests`, at least one, which ask for different things of one call: what
  /// ``RenderRequest/call``, ``RenderRequest/inputs`` and all else that says what happened in the
  /// call are in the first one goes for all. Recordings are read and heard once. Each plan is what
  /// ``plan(_:cancellation:)`` makes of its request alone.
  ///
  /// - Throws: ``RenderError`` where nothing of any input can be rendered, or a request contradicts
  ///   itself.
  public static func plans(
    _ requests: [RenderRequest], cancellation: Cancellation = Cancellation()
  ) throws(RenderError) -> [Plan] {
    try plans(requests, cancellation: cancellation, analyses: nil)
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
    try plans([request], cancellation: cancellation, analyses: analyses)[0]
  }

  /// The voices that have to be heard for the first request are in `analyses` afterwards.
  private static func plans(
    _ requests: [RenderRequest], cancellation: Cancellation, analyses: VoiceAnalyses?
  ) throws(RenderError) -> [Plan] {
    precondition(!requests.isEmpty)
    let call = try input(requests[0], cancellation)
    var inputs: [CallInput] = []
    for request in requests {
      var input = call
      try request.select(&input)
      try requireFiles(of: input, request)
      inputs.append(input)
    }
    let readers = requests[0].readers(cancellation)
    var seen: Set<String> = []
    let paths = inputs.flatMap(\.files).filter { seen.insert($0).inserted }
    let found = try InputProbe.probe(paths, cache: requests[0].cache, readers)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    let probes = Dictionary(uniqueKeysWithValues: zip(paths, found))
    let findings = SoundFindings()
    var plans: [Plan] = []
    for (request, input) in zip(requests, inputs) {
      let own = probes.filter { input.files.contains($0.key) }
      try requireUse(of: input, own, request)
      let analyses =
        (plans.isEmpty ? analyses : nil)
        ?? VoiceAnalyses(cancellation: cancellation)
      analyses.use(readers, requests[0].cache, findings)
      plans.append(
        try CallPlanner(request, input, own, cancellation, findings).plan(analyses))
    }
    return plans
  }

  /// Refuses what names files that are not there, unless they may be missing.
  private static func requireFiles(
    of input: CallInput, _ request: RenderRequest
  ) throws(RenderError) {
    let missing = input.files.first { !FileSystem.exists($0) }
    guard let missing, !request.allowsMissing else { return }
    throw RenderError(
      .failure,
      "cannot open \(missing)\(input.role(of: missing).map { ", \($0)" } ?? ""): No such file or "
        + "directory; check the name, or give --allow-missing to render without it.")
  }

  /// Refuses inputs of which nothing can be rendered, or that lack the sound which is asked for.
  private static func requireUse(
    of input: CallInput, _ probes: [String: InputProbe], _ request: RenderRequest
  ) throws(RenderError) {
    let found = input.files.compactMap { probes[$0] }
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
