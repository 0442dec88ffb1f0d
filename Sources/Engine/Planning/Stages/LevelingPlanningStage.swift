import TesseraMessages
import TesseraPlan
import TesseraSystem
import TesseraTimeline

/// Stage 6 of planning: the voices of all participants, ready for the mix.
struct LevelingPlanningStage {
  /// All participants, with gain curves, sides and mutes set on their voices.
  let people: [PlannedParticipant]
  /// Notes for the user, one sentence each.
  let notes: [UserMessage]

  /// - Throws: ``RenderError`` after a cancellation.
  init(
    _ request: PlanningInput, _ heard: ParticipantPlanningStage, _ said: TranscriptPlanningStage,
    _ cut: FrameSelection
  ) throws(RenderError) {
    let rate = request.frameRate
    let (centered, sideNotes) = try heard.sound.centered(heard.people)
    let (level, levelNotes) = try heard.sound.leveled(
      centered,
      shown: TimeRange(
        start: rate.time(ofFrame: cut.lowerBound), end: rate.time(ofFrame: cut.upperBound)))
    people = request.analyses.ended(level).map { $0.muted(said.words.mutes) }
    notes = sideNotes + levelNotes + heard.sound.notes(heard.people)
    try request.requireTime()
  }
}
