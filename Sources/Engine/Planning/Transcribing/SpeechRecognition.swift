import TesseraCaptions
import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Runs a speech recognizer for each participant, on the participant's own voice alone.
struct SpeechRecognition {
  let transcriber: Transcriber
  let call: CallRequest
  /// All participants with all of their voices, including those that are not heard in the
  /// rendition.
  let people: [PlannedParticipant]
  let duration: MediaTime
  let analyses: VoiceAnalyses
  let findings: SoundAnalysisCache

  private var cancellation: Cancellation { analyses.readers.cancellation }

  /// Returns the transcripts of the participants for which `isWanted` is true, in times of the
  /// call.
  ///
  /// - Throws: ``RenderError`` if the recognizer fails.
  func transcripts(
    of isWanted: (PlannedParticipant) -> Bool
  ) throws(RenderError) -> [TranscriptInput] {
    let speech = try ActiveSpeakerPlanner(people: people, duration: duration, analyses: analyses)
      .heard()
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    let speakers = people.filter { isWanted($0) && !(speech.said[$0.id] ?? []).isEmpty }
    var inputs: [TranscriptInput] = []
    for (number, person) in speakers.enumerated() {
      call.progress?(
        PlanningProgress(phase: .transcribing, done: number, count: speakers.count))
      let voices = person.voices.filter(\.isSpeech).map { analyses.readable($0) }
      let wave = SpeechWaveFile(said: speech.said[person.id] ?? [], heard: voices.map(\.interval))
      var transcript = try self.transcript(of: wave, voices, person)
      for index in transcript.lines.indices { transcript.lines[index].move(wave.call) }
      transcript = Transcript(transcript.lines.filter { $0.to > $0.from })
      inputs.append(
        TranscriptInput(
          transcript, name: "the output of \(transcriber.words[0]) for \(person.participant.name)",
          person: person.participant.id, start: .zero))
    }
    if !speakers.isEmpty {
      call.progress?(
        PlanningProgress(
          phase: .transcribing, done: speakers.count, count: speakers.count))
    }
    return inputs
  }

  /// Returns the recognizer's transcript of `wave`, in times of that file. A transcript of the same
  /// input is taken from the cache.
  private func transcript(
    of wave: SpeechWaveFile, _ voices: [VoiceSource], _ person: PlannedParticipant
  ) throws(RenderError) -> Transcript {
    let key = voices.transcriptKey(wave, transcriber)
    if let key, let known = findings.transcripts[key] { return known }
    if let key, let known = call.cache?.finding(key, of: [Transcript.Line].self) {
      return Transcript(known)
    }
    let scratch = try RenderError.wrapping { () throws(SystemError) in try ScratchFolder() }
    let found = try made(wave, voices, person, scratch.path)
    withExtendedLifetime(scratch) {}
    if let key {
      findings.transcripts[key] = found
      call.cache?.keep(found.lines, as: key)
    }
    return found
  }

  private func made(
    _ wave: SpeechWaveFile, _ voices: [VoiceSource], _ person: PlannedParticipant, _ folder: String
  ) throws(RenderError) -> Transcript {
    let name = "voice.wav"
    let results = try analyses.readers.results(
      of: [RecordingReadTask.speech(voices, wave, name: name, into: folder)])
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    guard case .wrote(let problem) = results[0], problem == nil else {
      let reason = if case .wrote(.some(let text)) = results[0] { text } else { "unreadable" }
      throw RenderError(
        .failure,
        "\(option: "transcriber"): the voice of \(person.participant.name) cannot be written: \(reason)."
      )
    }
    return try RecognizerProcess(transcriber: transcriber, cancellation: cancellation)
      .transcript(of: "\(folder)/\(name)", of: person.participant.name, in: folder).transcript
  }
}

extension Transcript.Line {
  /// Maps all times of the line through `place`.
  fileprivate mutating func move(_ place: (MediaTime) -> MediaTime) {
    (from, to) = (place(from), place(to))
    for index in words.indices {
      words[index].from = place(words[index].from)
      words[index].to = place(words[index].to)
    }
  }
}
