import TesseraCaptions
import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Determines cuts and mutes for the struck words of a call.
///
/// A struck word is cut from the call. If others are heard at that time, it is muted in its own
/// voice instead.
struct WordCutPlanner {
  /// The result of applying the edits to the words.
  struct WordCuts {
    /// The lines with edited words: struck or respelled.
    var lines: [Plan.TranscriptLine]
    /// The parts of the call to cut, with the words as reasons.
    var cuts: [Plan.CutRange] = []
    /// The times at which participants are muted, for any reason.
    var mutes: [ParticipantID: [TimeRange]] = [:]
    /// Suggested further cuts, which are not applied.
    var maybe: [Plan.CutRange] = []
    /// Notes for the user, one sentence each.
    var notes: [UserMessage] = []
  }

  let rendition: Rendition
  /// All participants that are heard.
  let people: [PlannedParticipant]
  let duration: MediaTime
  let analyses: VoiceAnalyses
  /// The times at which the session or the edits mute participants.
  let mutes: [ParticipantID: [TimeRange]]

  /// The maximum duration of a sound suggested as a cut.
  private static let shortSound = MediaTime(nanoseconds: 800_000_000)

  /// Applies the edits to `said` and finds the resulting cuts and mutes.
  ///
  /// - Throws: ``RenderError`` if an edited transcript belongs to another call, or after a
  ///   cancellation.
  func edited(_ said: TranscriptPlacer.TranscriptLines) throws(RenderError) -> WordCuts {
    var edited = WordCuts(lines: said.lines, mutes: mutes)
    if rendition.findsCandidates { edited.maybe = try candidates(said.lines) }
    guard !rendition.transcriptEdits.isEmpty || !rendition.fillers.isEmpty else { return edited }
    try apply(said, to: &edited.lines)
    strikeFillers(&edited)
    try find(&edited)
    for index in edited.lines.indices {
      let words = edited.lines[index].words
      guard words != said.lines[index].words,
        words.contains(where: \.isStruck)
          || words.map(\.text).joined() != edited.lines[index].text.filter({ $0 != " " })
      else { continue }
      edited.lines[index].text = words.filter { !$0.isStruck }.map(\.text).joinedWords
    }
    let estimated = edited.lines.indices.filter {
      said.lines[$0].words.isEmpty && edited.lines[$0].words.contains(where: \.isStruck)
        && !edited.lines[$0].text.isEmpty
    }.count
    if estimated > 0 {
      edited.notes.append(
        "\(estimated) lines with struck words have no times of words, which are guessed from their "
          + "letters; a recognizer's JSON with words cuts exactly.")
    }
    return edited
  }

  // MARK: Words

  /// Applies the strikes and spellings of the edited transcripts to `lines`.
  private func apply(
    _ said: TranscriptPlacer.TranscriptLines, to lines: inout [Plan.TranscriptLine]
  ) throws(RenderError) {
    guard !rendition.transcriptEdits.isEmpty else { return }
    let (whole, kept) = (said.editable { _ in true }, said.editable { said.isWanted[$0] })
    for edit in rendition.transcriptEdits {
      let isWhole = edit.identity == whole.identity
      let original = isWhole ? whole : kept
      let result = try RenderError.refusing { () throws(TranscriptError) in
        try edit.applied(to: original)
      }
      let places = lines.indices.filter { isWhole || said.isWanted[$0] }
      for (number, index) in places.enumerated()
      where result[number].words != original.lines[number].words {
        let (old, new) = (original.lines[number].editableWords, result[number].words)
        if lines[index].words.isEmpty { lines[index].words = old }
        // Several edits of a line are combined: each applies only its own changes.
        for word in new.indices {
          if new[word].text != old[word].text { lines[index].words[word].text = new[word].text }
          if new[word].isStruck { lines[index].words[word].isStruck = true }
        }
      }
    }
  }

  private func strikeFillers(_ edited: inout WordCuts) {
    guard !rendition.fillers.isEmpty else { return }
    var count = 0
    for line in edited.lines.indices {
      for word in edited.lines[line].words.indices
      where rendition.fillers.contains(edited.lines[line].words[word].text.wordKey) {
        edited.lines[line].words[word].isStruck = true
        count += 1
      }
    }
    let untimed = edited.lines.count { $0.words.isEmpty && !$0.text.isEmpty }
    if edited.lines.isEmpty || untimed > 0 {
      let scope =
        untimed == edited.lines.count
        ? "cuts nothing: no transcript has" : "cuts nothing in \(untimed) lines, which have no"
      edited.notes.append(
        "\(option: "without-fillers") \(scope) times of words; give a recognizer's JSON with words to "
          + "\(option: "transcript"), or name a recognizer with \(option: "transcriber").")
    } else if count == 0 {
      edited.notes.append(
        "\(option: "without-fillers") cuts nothing: no transcript has such a word.")
    }
  }

  // MARK: Cuts

  /// Finds cuts and mutes for struck words. Words that remain mostly audible are no longer marked
  /// as struck.
  private func find(_ edited: inout WordCuts) throws(RenderError) {
    let isStruck = edited.lines.contains { $0.words.contains(where: \.isStruck) }
    guard isStruck else { return }
    let struck = StruckWordResolver(edited.lines, said: try heard().said, mutes: mutes)
    let screens = people.flatMap(\.voices).filter { !$0.isSpeech }
    try analyses.hear(screens)
    let decision = struck.decision(
      try placed(struck.runs), busy: ScreenMotionDetector.moving(people) + analyses.loud(screens),
      rate: rendition.output.video.frameRate)
    edited.cuts = decision.cuts
    edited.mutes.merge(decision.mutes) { KeptRanges(keeping: $0 + $1).kept }
    for word in decision.heard where word.isMostlyHeard {
      edited.lines[word.line].words[word.number].isStruck = false
    }
    guard !decision.heard.isEmpty else { return }
    edited.notes.append(Self.note(decision.heard))
  }

  /// Returns the note that names the struck words which are still heard.
  static func note(_ heard: [StruckWordResolver.HeardWord]) -> UserMessage {
    let words = heard.map {
      "\u{201c}\($0.text)\u{201d} at \($0.start.clockWithTenths) (\($0.cause.rawValue))"
    }
    return """
      \(heard.count) struck word\(heard.count == 1 ? " is" : "s are") still heard, in whole or in \
      part: \(words.listed(most: 4)). Captions keep what is heard.
      """
  }

  /// Returns short sounds without a word, of participants whose words are known.
  private func candidates(_ lines: [Plan.TranscriptLine]) throws(RenderError) -> [Plan.CutRange] {
    let known = Dictionary(grouping: lines.filter { !$0.words.isEmpty }, by: \.participant)
    guard known.keys.contains(where: { $0 != nil }) else { return [] }
    let speech = try heard()
    var found: [Plan.CutRange] = []
    for person in people {
      guard let lines = known[person.id] else { continue }
      let words = KeptRanges(
        keeping: lines.flatMap(\.words).map { TimeRange(start: $0.from, end: $0.to) })
      let others = KeptRanges(keeping: speech.said.filter { $0.key != person.id }.flatMap(\.value))
      for sound in speech.said[person.id] ?? [] where sound.duration <= Self.shortSound {
        guard words.clipped(to: sound).isEmpty, others.clipped(to: sound).isEmpty else {
          continue
        }
        found.append(Plan.CutRange(sound, "a sound of \(person.participant.name) without a word"))
      }
    }
    return found.sorted { $0.interval.start < $1.interval.start }
  }

  private func heard() throws(RenderError) -> ActiveSpeakerPlanner.Speech {
    let speech = try ActiveSpeakerPlanner(people: people, duration: duration, analyses: analyses)
      .heard()
    guard !analyses.readers.cancellation.isCancelled else {
      throw .stopped(analyses.readers.cancellation)
    }
    return speech
  }

  /// Returns the runs with the edges of their cuts moved to the quietest nearby places of their
  /// voices.
  private func placed(
    _ runs: [StruckWordResolver.StruckRun]
  ) throws(RenderError) -> [StruckWordResolver.StruckRun] {
    var runs = runs
    var asked: [TrackID: (voice: Plan.Voice, edges: [(run: Int, isStart: Bool)])] = [:]
    var windows: [TrackID: [QuietCutFinder.Window]] = [:]
    for index in runs.indices {
      let run = runs[index]
      guard run.interval.duration > .zero,
        let person = people.first(where: { $0.id == run.person })
      else { continue }
      for (isStart, time) in [(true, run.interval.start), (false, run.interval.end)] {
        let voice = person.voices.first {
          $0.isSpeech && $0.source.interval.start <= time && time < $0.source.interval.end
        }
        guard let voice, analyses[voice.id] != nil else { continue }
        let first =
          isStart ? max(time - StruckWordResolver.reach, run.before ?? .zero) : run.core.end
        let last =
          isStart ? run.core.start : min(time + StruckWordResolver.reach, run.after ?? duration)
        guard first <= time, time <= last, first < last else { continue }
        let rate = Soundtrack.sampleRate
        asked[voice.id, default: (voice, [])].edges.append((index, isStart))
        windows[voice.id, default: []].append(
          QuietCutFinder.Window(
            first.sample(atRate: rate)..<last.sample(atRate: rate), at: time.sample(atRate: rate)))
      }
    }
    let voices = asked.values.sorted { $0.voice.id.rawValue < $1.voice.id.rawValue }
    let tasks = voices.map {
      RecordingReadTask.quiet(analyses.readable($0.voice), windows[$0.voice.id] ?? [])
    }
    for (voice, result) in zip(voices, try analyses.readers.read(tasks, cache: analyses.cache)) {
      guard case .places(.some(let places)) = result else { continue }
      for (edge, place) in zip(voice.edges, places) {
        let time = MediaTime(sample: place, rate: Soundtrack.sampleRate)
        if edge.isStart { runs[edge.run].cut.start = time } else { runs[edge.run].cut.end = time }
      }
    }
    return runs
  }
}

extension VoiceSource {
  /// Returns the voice with fades to silence at `times` of the call.
  func muted(at times: [TimeRange]) -> VoiceSource {
    guard !times.isEmpty else { return self }
    let rate = Soundtrack.sampleRate
    let points = times.flatMap { time -> [GainCurve.Point] in
      let (first, last) = (
        (time.start - start).sample(atRate: rate), (time.end - start).sample(atRate: rate)
      )
      let fade = min(Self.fade, (last -| first) / 2)
      return [
        (first, 0), (first +| fade, GainCurve.silence), (last -| fade, GainCurve.silence),
        (last, 0),
      ]
      .map { GainCurve.Point(position: $0.0, decibels: $0.1) }
    }
    var voice = self
    voice.gain = (gain ?? GainCurve()) + GainCurve(points)
    return voice
  }

  /// The length of the fades in samples: 5 ms at 48 kHz.
  private static let fade: Int64 = 240
}
