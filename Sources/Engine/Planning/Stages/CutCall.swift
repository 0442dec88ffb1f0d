import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// The fourth stage: the frames of the call that are rendered, and the reasons for what is left out.
struct CutCall {
  let cut: FrameCut
  /// The sentences that people should know.
  private(set) var notes: [String] = []
  /// The parts that are left out, with their reasons; ends that lie outside the rendition included.
  private let removed: [Plan.Removal]

  /// - Throws: ``RenderError`` where nothing is left, or too much.
  init(
    _ request: PlanRequest, _ opened: OpenedCall, _ heard: HeardCall, _ said: SaidCall
  ) throws(RenderError) {
    let edits = opened.recording.edits
    let pauses = try Self.pauses(request, heard, said)
    let part = try Self.part(request, heard, said)
    if part == nil {
      let source = request.rendition.partSource ?? "the part"
      notes.append(
        "\(source) begins and ends as asked: in the pauses nearby it would lose more than half.")
    }
    cut = try (part ?? request.rendition).cut(
      before: heard.end, edits, without: opened.trim,
      pauses: pauses.map(\.interval) + said.words.cuts.map(\.interval),
      last: heard.last?.participant.name, longestDuration: request.call.longestDuration)
    removed =
      (request.rendition.reasons + edits.cut).compactMap { part in
        part.reason.map { Plan.Removal(part.range, $0) }
      } + said.words.cuts + pauses.map { Plan.Removal($0.interval, $0.kind.rawValue) }
      + (opened.trim?.stretches ?? []).map { Plan.Removal($0, "nobody is there") }
  }

  /// The parts that `plan` leaves out, each with its reason.
  func removals(of plan: Plan) -> [Plan.Removal] {
    plan.times.holes(before: plan.frameCount).map { hole in
      let middle = hole.middle
      let reason = removed.first { $0.interval.start <= middle && middle < $0.interval.end }?.reason
      return Plan.Removal(hole, reason ?? "cut")
    }
  }

  /// The rendition, which begins and ends in pauses where that is asked for; nil where that would
  /// leave less than half of it.
  private static func part(
    _ request: PlanRequest, _ heard: HeardCall, _ said: SaidCall
  ) throws(RenderError) -> Rendition? {
    var part = request.rendition
    guard part.snaps, part.from != nil || part.to != nil else { return part }
    let speech = try heard.speakers.heard()
    try request.requireTime()
    let ends = ClipEnds(
      said: speech.said.values.flatMap { $0 }, sentences: said.sentenceEnds, before: heard.end)
    guard let moved = ends.clip(from: part.from, to: part.to) else { return nil }
    (part.from, part.to) = moved
    return part
  }

  /// The pauses that are tightened; none where that is not asked for.
  private static func pauses(
    _ request: PlanRequest, _ heard: HeardCall, _ said: SaidCall
  ) throws(RenderError) -> [Pauses.Cut] {
    guard let settings = request.rendition.tighten else { return [] }
    let voices = heard.people.flatMap(\.voices)
    let others = voices.filter { !$0.isSpeech }
    try request.analyses.hear(others)
    let speech = try heard.speakers.heard()
    try request.requireTime()
    return Pauses(
      said: heard.people.map { speech.said[$0.id] ?? [] },
      heard: voices.filter(\.isSpeech).map(\.source.interval),
      keeping: request.analyses.loud(others)
        + (settings.ignoresScreens ? [] : ScreenMotion.moving(heard.people)),
      ends: said.sentenceEnds, settings
    ).cuts
  }
}
