import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraSystem
import TesseraTimeline

/// Stage 3 of planning: the spoken lines, and the cuts and mutes that edits of their words cause.
struct TranscriptPlanningStage {
  /// The lines from transcripts and speech recognizers, before edits.
  let said: TranscriptPlacer.TranscriptLines
  /// The lines after edits, with the resulting cuts and mutes.
  let words: WordCutPlanner.WordCuts

  /// - Throws: ``RenderError`` if an option, transcript or edit names no participant, or if
  ///   captions are requested and there is no transcript.
  init(
    _ request: PlanningInput, _ opened: TrackPlacementPlanningStage,
    _ heard: ParticipantPlanningStage
  )
    throws(RenderError)
  {
    let (call, rendition) = (request.call, request.rendition)
    var transcripts = TranscriptPlacer(
      call: call, rendition: rendition, input: request.input, recording: opened.recording,
      names: opened.names, people: heard.everyone)
    if let transcriber = call.transcriber {
      let recognition = SpeechRecognition(
        transcriber: transcriber, call: call, people: heard.everyone, duration: heard.end,
        analyses: request.analyses, findings: request.findings)
      let known = try transcripts.peopleWithWords()
      transcripts.recognized = try recognition.transcripts { !known.contains($0.participant.id) }
    }
    said = try transcripts.said()
    var mutes: [ParticipantID: [TimeRange]] = [:]
    for mute in rendition.mutes + opened.recording.edits.mute {
      let place: UserMessage = mute.file.map { "\(file: $0): mute:" } ?? "mute:"
      let id = ParticipantID(rawValue: try opened.names.id(of: mute.person, by: place))
      mutes[id, default: []].append(mute.part.range)
    }
    words = try WordCutPlanner(
      rendition: rendition, people: heard.people, duration: heard.end, analyses: request.analyses,
      mutes: mutes.mapValues { KeptRanges(keeping: $0).kept }
    ).edited(said)
  }

  /// The times at which sentences end, in order.
  var sentenceEnds: [MediaTime] { words.lines.flatMap(\.sentenceEnds).sorted() }
}
