import TesseraPlan
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// The sixth stage: everyone's voices as they are mixed.
struct LeveledSound {
  /// Everyone, with the gain curves, sides and mutes of their voices.
  let people: [Person]
  /// The sentences that people should know.
  let notes: [String]

  /// - Throws: ``RenderError`` once the cancellation was asked for.
  init(
    _ request: PlanRequest, _ heard: HeardCall, _ said: SaidCall, _ cut: FrameCut
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
