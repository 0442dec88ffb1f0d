import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Stage 4 of planning: the frames of the call to render, and the reasons for the cuts.
struct CutPlanningStage {
  let cut: FrameSelection
  /// Notes for the user, one sentence each.
  private(set) var notes: [UserMessage] = []
  /// The removed parts with their reasons. Their ends may be outside the rendition.
  private let removed: [Plan.CutRange]

  /// - Throws: ``RenderError`` if no frames are left, or if the result exceeds the maximum
  ///   duration.
  init(
    _ request: PlanningInput, _ opened: TrackPlacementPlanningStage,
    _ heard: ParticipantPlanningStage,
    _ said: TranscriptPlanningStage
  ) throws(RenderError) {
    let edits = opened.recording.edits
    let pauses = try Self.pauses(request, heard, said)
    let part = try Self.part(request, heard, said)
    if part == nil {
      let source = request.rendition.partSource ?? "the part"
      notes.append(
        "\(source) keeps the times that were asked for: in the pauses nearby it would lose more than half."
      )
    }
    cut = try (part ?? request.rendition).cut(
      before: heard.end, edits, without: opened.trim,
      pauses: pauses.map(\.interval) + said.words.cuts.map(\.interval),
      last: heard.last?.participant.name, longestDuration: request.call.longestDuration)
    removed =
      (request.rendition.reasons + edits.cut).compactMap { part in
        part.reason.map { Plan.CutRange(part.range, $0) }
      } + said.words.cuts + pauses.map { Plan.CutRange($0.interval, $0.kind.rawValue) }
      + (opened.trim?.stretches ?? []).map { Plan.CutRange($0, "nobody is there") }
  }

  /// Returns the parts that `plan` removes, each with its reason.
  func removals(of plan: Plan) -> [Plan.CutRange] {
    plan.times.holes(before: plan.frameCount).map { hole in
      let middle = hole.middle
      let reason = removed.first { $0.interval.start <= middle && middle < $0.interval.end }?.reason
      return Plan.CutRange(hole, reason ?? "cut")
    }
  }

  /// Returns the rendition with its ends moved to pauses if ``Rendition/snaps`` is set. Returns
  /// `nil` if less than half of the part would remain.
  private static func part(
    _ request: PlanningInput, _ heard: ParticipantPlanningStage, _ said: TranscriptPlanningStage
  ) throws(RenderError) -> Rendition? {
    var part = request.rendition
    guard part.snaps, part.from != nil || part.to != nil else { return part }
    let speech = try heard.speakers.heard()
    try request.requireTime()
    let ends = ClipEndAdjuster(
      said: speech.said.values.flatMap { $0 }, sentences: said.sentenceEnds, before: heard.end)
    guard let moved = ends.clip(from: part.from, to: part.to) else { return nil }
    (part.from, part.to) = moved
    return part
  }

  /// Returns the cuts that tighten pauses; empty if tightening is off.
  private static func pauses(
    _ request: PlanningInput, _ heard: ParticipantPlanningStage, _ said: TranscriptPlanningStage
  ) throws(RenderError) -> [PauseCuts.Cut] {
    guard let settings = request.rendition.tighten else { return [] }
    let voices = heard.people.flatMap(\.voices)
    let others = voices.filter { !$0.isSpeech }
    try request.analyses.hear(others)
    let speech = try heard.speakers.heard()
    try request.requireTime()
    return PauseCuts(
      said: heard.people.map { speech.said[$0.id] ?? [] },
      heard: voices.filter(\.isSpeech).map(\.source.interval),
      keeping: request.analyses.loud(others)
        + (settings.ignoresScreens ? [] : ScreenMotionDetector.moving(heard.people)),
      ends: said.sentenceEnds, settings
    ).cuts
  }
}
