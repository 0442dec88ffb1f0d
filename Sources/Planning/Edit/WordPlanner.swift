import TesseraCaptions
import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Finds what is cut and what is muted where words of a call are struck.
///
/// A word that somebody has struck is cut from the call, but for what is heard of others meanwhile:
/// there it is muted in its own voice.
struct WordPlanner {
  /// What came of it.
  struct Edited {
    /// The lines, with their words struck and spelled as somebody wants them.
    var lines: [Plan.Line]
    /// What of the call is cut, with the words.
    var cuts: [Plan.Removal] = []
    /// When voices are silent.
    var mutes: [ParticipantID: [TimeRange]] = [:]
    /// What somebody may want to cut, too.
    var maybe: [Plan.Removal] = []
    /// What people should know.
    var notes: [String] = []
  }

  let rendition: Rendition
  /// Everyone that is heard.
  let people: [Person]
  let duration: MediaTime
  let analyses: VoiceAnalyses

  /// How far a cut may lie from the edge of a word.
  private static let reach = MediaTime(nanoseconds: 80_000_000)
  /// Less is not cut, but muted.
  private static let shortest = MediaTime(nanoseconds: 80_000_000)
  /// A sound that is no longer may not be a word.
  private static let shortSound = MediaTime(nanoseconds: 800_000_000)
  /// The most letters of a reason.
  private static let longestReason = 60

  /// What becomes of what was `said`.
  ///
  /// - Throws: where an edited transcript is another call's, or the cancellation was asked for.
  func edited(_ said: TranscriptPlanner.Said) throws(RenderError) -> Edited {
    var edited = Edited(lines: said.lines)
    if rendition.findsCandidates { edited.maybe = try candidates(said.lines) }
    guard !rendition.transcriptEdits.isEmpty || !rendition.fillers.isEmpty else { return edited }
    try apply(said, to: &edited.lines)
    strikeFillers(&edited)
    let runs = Self.runs(edited.lines)
    for index in edited.lines.indices {
      let words = edited.lines[index].words
      guard words != said.lines[index].words,
        words.contains(where: \.isStruck)
          || words.map(\.text).joined() != edited.lines[index].text.filter({ $0 != " " })
      else { continue }
      edited.lines[index].text = words.filter { !$0.isStruck && !$0.text.isEmpty }
        .map(\.text).joined(separator: " ")
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
    guard !runs.isEmpty else { return edited }
    try find(runs, &edited)
    return edited
  }

  // MARK: Words

  /// Strikes and spells what the transcripts say that somebody has edited.
  private func apply(
    _ said: TranscriptPlanner.Said, to lines: inout [Plan.Line]
  ) throws(RenderError) {
    guard !rendition.transcriptEdits.isEmpty else { return }
    let (whole, kept) = (said.editable { _ in true }, said.editable { said.isWanted[$0] })
    for edit in rendition.transcriptEdits {
      let isWhole = edit.identity == whole.identity
      do throws(TranscriptError) {
        let result = try edit.applied(to: isWhole ? whole : kept)
        let places = lines.indices.filter { isWhole || said.isWanted[$0] }
        for (index, line) in zip(places, result) where !line.words.isEmpty {
          let old = lines[index].words
          lines[index].words = line.words
          for number in old.indices where old[number].isStruck {
            lines[index].words[number].isStruck = true
          }
        }
      } catch {
        throw RenderError(.usage, "\(error)")
      }
    }
  }

  private func strikeFillers(_ edited: inout Edited) {
    guard !rendition.fillers.isEmpty else { return }
    var (isKnown, count) = (false, 0)
    for line in edited.lines.indices where !edited.lines[line].words.isEmpty {
      isKnown = true
      for word in edited.lines[line].words.indices
      where rendition.fillers.contains(edited.lines[line].words[word].text.wordKey) {
        edited.lines[line].words[word].isStruck = true
        count += 1
      }
    }
    if !isKnown {
      edited.notes.append(
        "--without-fillers cuts nothing: no transcript says when each word is said; give a "
          + "recognizer's JSON with words to --transcript, or name one with --transcriber.")
    } else if count == 0 {
      edited.notes.append("--without-fillers cuts nothing: no transcript has such a word.")
    }
  }

  /// Struck words of one person that follow each other.
  private struct Run {
    var person: ParticipantID?
    var text: String
    /// From the beginning of the first one to the end of the last one.
    var interval: TimeRange
    /// Where the word before ends, and the one after begins.
    var before: MediaTime?
    var after: MediaTime?
    /// What is cut where nobody else is heard.
    var cut: TimeRange

    /// When the voice is heard because of it: somewhat longer than the words are said to be.
    var heard: TimeRange {
      TimeRange(
        start: max(interval.start - WordPlanner.reach, before ?? .zero),
        end: min(interval.end + WordPlanner.reach, after ?? MediaTime(nanoseconds: .max)))
    }
  }

  private static func runs(_ lines: [Plan.Line]) -> [Run] {
    var (runs, known) = ([Run](), [String: Int]())
    var voices: [(person: ParticipantID?, words: [Transcript.Word])] = []
    for line in lines {
      let key = line.participant.map { "p\($0.rawValue)" } ?? "s\(line.speaker ?? "")"
      if known[key] == nil {
        known[key] = voices.count
        voices.append((line.participant, []))
      }
      let words =
        line.words.isEmpty
        ? [Transcript.Word(line.text, from: line.interval.start, to: line.interval.end)]
        : line.words
      voices[known[key] ?? 0].words += words
    }
    for (person, words) in voices {
      let words = words.enumerated().sorted {
        ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
      }.map(\.element)
      var last: MediaTime?
      var open: Run?
      for word in words {
        if word.isStruck {
          let interval = TimeRange(start: word.from, end: word.to)
          var run =
            open ?? Run(person: person, text: "", interval: interval, before: last, cut: interval)
          run.text += run.text.isEmpty ? word.text : " \(word.text)"
          run.interval.end = max(run.interval.end, word.to)
          run.cut = run.interval
          open = run
        } else {
          if var run = open {
            run.after = word.from
            runs.append(run)
            open = nil
          }
          last = max(last ?? word.to, word.to)
        }
      }
      if let open { runs.append(open) }
    }
    return runs.filter { $0.interval.duration > .zero }
  }

  // MARK: Cuts

  /// Decides where the cuts of `runs` lie.
  private func find(_ runs: [Run], _ edited: inout Edited) throws(RenderError) {
    let speech = try heard()
    let struck = Dictionary(grouping: runs, by: \.person)
    // What is heard of each person and stays.
    var heard: [ParticipantID: [TimeRange]] = [:]
    for (id, said) in speech.said {
      let gone = CutList(cutting: (struck[id] ?? []).map(\.heard))
      heard[id] = CutList(keeping: said).intersection(gone).kept
    }
    var known: [ParticipantID?: (others: CutList, free: CutList)] = [:]
    for person in struck.keys {
      let others = CutList(
        keeping: heard.filter { $0.key != person }.flatMap(\.value)
          + wordsOfOthers(than: person, edited.lines))
      known[person] = (others, CutList(cutting: others.kept))
    }
    for var run in try placed(runs) {
      guard let (others, free) = known[run.person] else { continue }
      if run.person != nil { run.cut = Self.widened(run, free) }
      var silent: [TimeRange] = []
      for part in free.clipped(to: run.cut) {
        if part.duration >= Self.shortest {
          edited.cuts.append(Plan.Removal(part, "\u{201c}\(Self.short(run.text))\u{201d}"))
        } else {
          silent.append(part)
        }
      }
      let spoken = TimeRange(
        start: max(run.cut.start, run.before ?? .zero),
        end: min(run.cut.end, max(run.interval.end, run.cut.start)))
      silent += others.clipped(to: spoken)
      if let person = run.person { edited.mutes[person, default: []] += silent }
    }
    edited.cuts.sort { $0.interval.start < $1.interval.start }
    edited.mutes = edited.mutes.compactMapValues {
      $0.isEmpty ? nil : CutList(keeping: $0).kept
    }
  }

  /// Short sounds of people in which none of their words is, of those whose words are known.
  private func candidates(_ lines: [Plan.Line]) throws(RenderError) -> [Plan.Removal] {
    let known = Dictionary(grouping: lines.filter { !$0.words.isEmpty }, by: \.participant)
    guard known.keys.contains(where: { $0 != nil }) else { return [] }
    let speech = try heard()
    var found: [Plan.Removal] = []
    for person in people {
      guard let lines = known[person.id] else { continue }
      let words = CutList(
        keeping: lines.flatMap(\.words).map { TimeRange(start: $0.from, end: $0.to) })
      let others = CutList(keeping: speech.said.filter { $0.key != person.id }.flatMap(\.value))
      for sound in speech.said[person.id] ?? [] where sound.duration <= Self.shortSound {
        guard words.clipped(to: sound).isEmpty, others.clipped(to: sound).isEmpty else {
          continue
        }
        found.append(Plan.Removal(sound, "a sound of \(person.participant.name) without a word"))
      }
    }
    return found.sorted { $0.interval.start < $1.interval.start }
  }

  private func heard() throws(RenderError) -> SpeakerPlanner.Speech {
    let speech = try SpeakerPlanner(people: people, duration: duration, analyses: analyses).heard()
    guard !analyses.readers.cancellation.isCancelled else {
      throw .stopped(analyses.readers.cancellation)
    }
    return speech
  }

  /// When others say words that stay, where their times are known.
  private func wordsOfOthers(
    than person: ParticipantID?, _ lines: [Plan.Line]
  ) -> [TimeRange] {
    guard person != nil else { return [] }
    return lines.filter { $0.participant != person }.flatMap(\.words).filter { !$0.isStruck }.map {
      TimeRange(start: $0.from, end: $0.to)
    }
  }

  /// What is cut of a run: of the pauses before and after it the longer one stays, where nobody
  /// speaks in the other.
  private static func widened(_ run: Run, _ free: CutList) -> TimeRange {
    guard let before = run.before, let after = run.after else { return run.cut }
    let pauses = (run.interval.start - before, after - run.interval.end)
    let shorter = min(pauses.0, pauses.1)
    guard shorter > Self.reach else { return run.cut }
    let end = run.interval.end + shorter
    let pause = TimeRange(start: run.interval.end, end: end)
    let isFree = free.clipped(to: pause) == [pause]
    return isFree ? TimeRange(start: run.cut.start, end: end) : run.cut
  }

  private static func short(_ text: String) -> String {
    text.count <= longestReason ? text : "\(text.prefix(longestReason))\u{2026}"
  }

  /// The runs with the edges of their cuts where their voices are quietest.
  private func placed(_ runs: [Run]) throws(RenderError) -> [Run] {
    var runs = runs
    var asked: [TrackID: (voice: Plan.Voice, edges: [(run: Int, isStart: Bool)])] = [:]
    var windows: [TrackID: [QuietPlaces.Window]] = [:]
    for index in runs.indices {
      let run = runs[index]
      guard let person = people.first(where: { $0.id == run.person }) else { continue }
      for (isStart, time) in [(true, run.interval.start), (false, run.interval.end)] {
        let voice = person.voices.first {
          $0.isSpeech && $0.source.interval.start <= time && time < $0.source.interval.end
        }
        guard let voice, analyses[voice.id] != nil else { continue }
        let first = max(time - Self.reach, isStart ? run.before ?? .zero : run.interval.start)
        let last = min(time + Self.reach, isStart ? run.interval.end : run.after ?? duration)
        guard first < last else { continue }
        let rate = Soundtrack.sampleRate
        asked[voice.id, default: (voice, [])].edges.append((index, isStart))
        windows[voice.id, default: []].append(
          QuietPlaces.Window(
            first.sample(atRate: rate)..<last.sample(atRate: rate), at: time.sample(atRate: rate)))
      }
    }
    let voices = asked.values.sorted { $0.voice.id.rawValue < $1.voice.id.rawValue }
    let tasks = voices.map {
      ReadingTask.quiet(analyses.readable($0.voice), windows[$0.voice.id] ?? [])
    }
    for (voice, result) in zip(voices, try analyses.readers.read(tasks, cache: analyses.cache)) {
      guard case .places(.some(let places)) = result else { continue }
      for (edge, place) in zip(voice.edges, places) {
        let time = MediaTime(sample: place, rate: Soundtrack.sampleRate)
        if edge.isStart { runs[edge.run].cut.start = time } else { runs[edge.run].cut.end = time }
      }
    }
    for index in runs.indices where runs[index].cut.duration <= .zero {
      runs[index].cut = runs[index].interval
    }
    return runs
  }
}

extension VoiceSource {
  /// The voice, silent at `times` of the call.
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

  /// Samples over which it falls silent (5 ms).
  private static let fade: Int64 = 240
}
