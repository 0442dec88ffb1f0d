import TesseraPlan
import TesseraRecordings
import TesseraSystem
import TesseraTimeline

/// The third stage: the lines that are said, with what edits strike and mute of them.
struct SaidCall {
  /// The lines as transcripts and recognizers have them.
  let said: TranscriptPlanner.Said
  /// The lines as they are edited.
  let words: WordPlanner.Edited

  /// - Throws: ``RenderError`` where an option, a transcript or an edit names nobody, or where
  ///   captions are asked for without any words.
  init(_ request: PlanRequest, _ opened: OpenedCall, _ heard: HeardCall) throws(RenderError) {
    let (call, rendition) = (request.call, request.rendition)
    var transcripts = TranscriptPlanner(
      call: call, rendition: rendition, input: request.input, recording: opened.recording,
      names: opened.names, people: heard.everyone)
    if let transcriber = call.transcriber {
      let recognition = Recognition(
        transcriber: transcriber, call: call, people: heard.everyone, duration: heard.end,
        analyses: request.analyses, findings: request.findings)
      let known = try transcripts.peopleWithWords()
      transcripts.recognized = try recognition.transcripts { !known.contains($0.participant.id) }
    }
    said = try transcripts.said()
    var mutes: [ParticipantID: [TimeRange]] = [:]
    for mute in rendition.mutes + opened.recording.edits.mute {
      let id = ParticipantID(
        rawValue: try opened.names.id(of: mute.person, by: "mute:"))
      mutes[id, default: []].append(mute.part.range)
    }
    words = try WordPlanner(
      rendition: rendition, people: heard.people, duration: heard.end, analyses: request.analyses,
      mutes: mutes.mapValues { CutList(keeping: $0).kept }
    ).edited(said)
  }

  /// The times at which sentences end, in order.
  var sentenceEnds: [MediaTime] { words.lines.flatMap(\.sentenceEnds).sorted() }
}
