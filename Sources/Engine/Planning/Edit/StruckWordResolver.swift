import TesseraCaptions
import TesseraPlan
import TesseraTimeline

/// Decides, from times alone, which parts of a call are cut and which participants are muted for
/// struck words.
///
/// A struck word is cut from the call. While others are heard, it is muted in its own voice
/// instead. Words that remain are never shortened.
struct StruckWordResolver {
  /// Consecutive struck words of one speaker, separated by no more than a breath.
  struct StruckRun {
    /// The speaker. If the transcript names no participant, the participant who is heard most;
    /// `nil` if no participant is heard.
    var person: ParticipantID?
    /// True if the transcript names no participant. ``person`` is then a guess and is not muted.
    var isGuessed = false
    /// The indices of the words.
    var words: [Int] = []
    /// The interval from the start of the first word to the end of the last word.
    var interval: TimeRange
    /// The part of ``interval`` that the cut always holds, from the first to the last word's core.
    var core: TimeRange
    /// The end of the speaker's word before the run, and the start of the speaker's word after it.
    var before, after: MediaTime?
    /// The interval to cut unless others are heard in it.
    var cut: TimeRange

    /// The interval in which the run's words can be heard in the speaker's voice.
    fileprivate var heard: TimeRange {
      let (start, end) = (
        interval.start - StruckWordResolver.reach, interval.end + StruckWordResolver.reach
      )
      return TimeRange(start: max(start, before ?? .zero), end: min(end, after ?? end))
    }
  }

  /// The result: cuts, mutes, and words that remain audible.
  struct Decision {
    /// The parts of the call to cut, ordered by time.
    var cuts: [Plan.CutRange] = []
    /// The times at which participants are muted.
    var mutes: [ParticipantID: [TimeRange]] = [:]
    /// The struck words that are still heard in whole or in part, ordered by time.
    var heard: [HeardWord] = []
  }

  /// A struck word that is still heard in whole or in part.
  struct HeardWord {
    /// The reason why a struck word is neither cut nor muted completely, as in a sentence.
    enum Cause: String {
      case noLength = "it has no length"
      case unknownSpeaker = "its speaker fits no participant who could be muted"
      case overlap = "it overlaps a word of its speaker that stays"
      case shortCut = "its cut, at frames and quiet places, leaves more of it"
    }

    /// The indices of the line, and of the word in it.
    var line, number: Int
    var text: String
    var start: MediaTime
    var cause: Cause
    /// True if at least half of the word is heard.
    var isMostlyHeard: Bool
  }

  private struct Word {
    var line, number: Int
    var person: ParticipantID?
    var text: String
    var interval: TimeRange
    var isStruck: Bool
    /// False if the line's words have no times.
    var isTimed: Bool

    /// The part of ``interval`` that every cut of the word holds, at least half of it. The edge of a
    /// cut moves into the word only to leave out an adjacent word's sound: by at most ``reach`` and a
    /// quarter of the word, as a short word would otherwise be heard.
    var core: TimeRange {
      let quarter = MediaTime(nanoseconds: interval.duration.nanoseconds / 4)
      let margin = min(StruckWordResolver.reach, quarter)
      return TimeRange(start: interval.start + margin, end: interval.end - margin)
    }
  }

  /// The maximum distance by which the edge of a cut moves away from the edge of a word. Into a
  /// short word it moves less, see ``StruckRun/core``.
  static let reach = MediaTime(nanoseconds: 80_000_000)
  /// The maximum remainder of a struck word that cuts at frame boundaries may leave.
  static let slack = MediaTime(nanoseconds: 20_000_000)
  /// The maximum part of a pause that is cut with a run.
  static let longestPause = MediaTime(seconds: 1)
  /// The minimum duration of a cut; shorter parts are muted instead.
  private static let shortest = MediaTime(nanoseconds: 80_000_000)
  /// The maximum gap between two words of a run: across lines, and within a line.
  private static let (breath, gap) = (MediaTime(nanoseconds: 600_000_000), MediaTime(seconds: 1))
  /// The maximum length of a reason, in characters.
  private static let longestReason = 60

  /// The runs of struck words, grouped by speaker.
  private(set) var runs: [StruckRun] = []
  private let words: [Word]
  private let said, mutes: [ParticipantID: KeptRanges]

  /// Finds the runs of struck words in `lines`.
  ///
  /// - Parameters:
  ///   - lines: The lines of the transcript.
  ///   - said: The times at which each participant speaks.
  ///   - mutes: The times at which participants are muted for other reasons.
  init(
    _ lines: [Plan.TranscriptLine], said: [ParticipantID: [TimeRange]],
    mutes: [ParticipantID: [TimeRange]] = [:]
  ) {
    self.mutes = mutes.mapValues { KeptRanges(keeping: $0) }
    self.said = said.mapValues { KeptRanges(keeping: $0) }
    words = lines.enumerated().flatMap { index, line in
      line.wordsOrWhole.enumerated().map { number, word in
        Word(
          line: index, number: number, person: line.participant, text: word.text,
          interval: TimeRange(start: word.from, end: word.to), isStruck: word.isStruck,
          isTimed: !line.words.isEmpty)
      }
    }
    findRuns(lines)
  }

  private mutating func findRuns(_ lines: [Plan.TranscriptLine]) {
    let kept = KeptRanges(keeping: words.filter { !$0.isStruck }.map(\.interval))
    let inOrder = words.indices.filter { words[$0].isTimed }.sorted {
      (words[$0].interval.start, $0) < (words[$1].interval.start, $1)
    }
    let voices = Dictionary(grouping: inOrder) { index in
      let line = lines[words[index].line]
      return line.participant.map { "p\($0.rawValue)" } ?? "s\(line.speaker ?? "")"
    }
    for (_, voice) in voices.sorted(by: { $0.key < $1.key }) {
      var (last, open) = (MediaTime?.none, StruckRun?.none)
      func endRun(before next: MediaTime?) {
        guard var run = open else { return }
        (run.after, run.cut) = (next, run.interval)
        last = max(last ?? run.interval.end, run.interval.end)
        runs.append(run)
        open = nil
      }
      for index in voice {
        let word = words[index]
        if !word.isStruck || open.map({ !joins($0, word, kept) }) ?? false {
          endRun(before: word.interval.start)
        }
        guard word.isStruck else {
          last = max(last ?? word.interval.end, word.interval.end)
          continue
        }
        let (interval, core) = (word.interval, word.core)
        var run =
          open
          ?? StruckRun(
            person: word.person, interval: interval, core: core, before: last, cut: interval)
        run.words.append(index)
        run.interval.end = max(run.interval.end, interval.end)
        run.core = TimeRange(
          start: min(run.core.start, core.start), end: max(run.core.end, core.end))
        open = run
      }
      endRun(before: nil)
    }
    for index in runs.indices where runs[index].person == nil {
      (runs[index].person, runs[index].isGuessed) = (speaker(in: runs[index].interval), true)
    }
  }

  /// Returns true if the struck `word` continues `run`: they are separated by a breath at most,
  /// with no remaining word between.
  private func joins(_ run: StruckRun, _ word: Word, _ kept: KeptRanges) -> Bool {
    let gap = TimeRange(start: run.interval.end, end: word.interval.start)
    // Words this close have only their own edges between them.
    guard gap.duration > Self.reach + Self.reach else { return true }
    let isOneLine = run.words.last.map { words[$0].line } == word.line
    return gap.duration <= (isOneLine ? Self.gap : Self.breath) && kept.clipped(to: gap).isEmpty
  }

  /// Returns the participant who is heard most in `interval`, or `nil` if nobody is.
  private func speaker(in interval: TimeRange) -> ParticipantID? {
    said.map { (length: $0.value.clipped(to: interval).length, id: $0.key) }
      .filter { $0.length > .zero }
      .min { ($1.length, $0.id.rawValue) < ($0.length, $1.id.rawValue) }?.id
  }

  // MARK: Cuts

  /// Returns the cuts, at frame boundaries of `rate`, and mutes for `runs`. The cuts of `runs` may
  /// have moved to quiet places. Pauses are not cut at `busy` times, such as while a screen moves.
  func decision(_ runs: [StruckRun], busy: [TimeRange], rate: FrameRate) -> Decision {
    var decision = Decision()
    let kept = words.filter { word in
      let own = word.person.flatMap { mutes[$0] }
      return !word.isStruck && word.isTimed && own?.contains(word.interval.middle) != true
    }.map { word in
      // A word of zero length may be anywhere within the margin.
      let (time, margin) = (word.interval, word.interval.duration > .zero ? .zero : Self.slack)
      return (word.person, TimeRange(start: time.start - margin, end: time.end + margin))
    }
    let pauses = KeptRanges(cutting: words.map(\.interval)).kept
    let struck = Dictionary(grouping: runs, by: \.person)
    let heard = said.keys.map { id in
      let gone = KeptRanges(cutting: (struck[id] ?? []).map(\.heard) + (mutes[id]?.kept ?? []))
      return (id: id, ranges: said[id]?.intersection(gone).kept ?? [])
    }
    for (person, runs) in struck {
      let others = KeptRanges(
        keeping: heard.filter { $0.id != person }.flatMap(\.ranges) + kept.map(\.1))
      let free = KeptRanges(cutting: others.kept)
      let still = free.intersection(KeptRanges(cutting: busy))
      var silent: [TimeRange] = []
      for run in runs where run.interval.duration > .zero {
        let reason = "\u{201c}\(Self.short(run.words.map { words[$0].text }))\u{201d}"
        var whole = run.cut
        if let pause = pause(beside: run, pauses, still) { whole.end = run.interval.end + pause }
        for part in free.clipped(to: whole) {
          let cut = part.duration < Self.shortest ? nil : Self.frames(in: part, free, rate)
          if let cut { decision.cuts.append(Plan.CutRange(cut, reason)) }
          let rest = KeptRanges(cutting: cut.map { [$0] } ?? []).clipped(to: part)
          silent += rest.filter { cut == nil || $0.duration > Self.slack }
        }
        silent += others.clipped(to: run.cut)
      }
      let own = KeptRanges(cutting: kept.filter { $0.0 == person }.map(\.1))
      let spoken = KeptRanges(keeping: runs.filter { !$0.isGuessed }.map(\.cut)).intersection(own)
      let muted = KeptRanges(keeping: silent).intersection(spoken).kept
      if let person, !muted.isEmpty { decision.mutes[person] = muted }
    }
    decision.cuts.sort { $0.interval.start < $1.interval.start }
    findHeard(runs, &decision)
    return decision
  }

  /// Returns the duration of the pause after `run` to cut: that of the shorter adjacent pause, at
  /// most 1 s. Returns `nil` if either pause is missing, or if the time is not `still`.
  private func pause(
    beside run: StruckRun, _ pauses: [TimeRange], _ still: KeptRanges
  ) -> MediaTime? {
    guard let before = run.before, let after = run.after else { return nil }
    let (start, end) = (run.interval.start, run.interval.end)
    let first = pauses.partitioningIndex { $0.end >= start }
    let next = pauses.partitioningIndex { $0.start >= end }
    guard first < pauses.count, pauses[first].end == start, next < pauses.count,
      pauses[next].start == end
    else { return nil }
    let shorter = min(
      min(start - before, pauses[first].duration), min(after - end, pauses[next].duration),
      Self.longestPause)
    let pause = TimeRange(start: end, end: end + shorter)
    return shorter > Self.reach && still.clipped(to: pause) == [pause] ? shorter : nil
  }

  /// Returns the frame-aligned interval to cut for `part` without removing anything outside `free`,
  /// or `nil` if no frame fits.
  private static func frames(
    in part: TimeRange, _ free: KeptRanges, _ rate: FrameRate
  ) -> TimeRange? {
    var (first, end) = (rate.firstFrame(showing: part.start), rate.firstFrame(showing: part.end))
    func isTooMuch(_ start: MediaTime, _ end: MediaTime) -> Bool {
      let rest = TimeRange(start: start, end: end)
      return rest.duration > slack || free.clipped(to: rest).length < rest.duration
    }
    if isTooMuch(rate.time(ofFrame: first), part.start) { first += 1 }
    if isTooMuch(part.end, rate.time(ofFrame: end)) { end -= 1 }
    guard first < end else { return nil }
    return TimeRange(start: rate.time(ofFrame: first), end: rate.time(ofFrame: end))
  }

  /// Finds the struck words of `runs` that `decision` neither cuts nor mutes completely: more than
  /// ``slack`` of their core or of their run's cut is left, or more than half of them.
  private func findHeard(_ runs: [StruckRun], _ decision: inout Decision) {
    let cuts = decision.cuts.map(\.interval)
    for (person, runs) in Dictionary(grouping: runs, by: \.person) {
      let own = person.map { (decision.mutes[$0] ?? []) + (mutes[$0]?.kept ?? []) } ?? []
      let gone = KeptRanges(keeping: cuts + own)
      let left = KeptRanges(cutting: gone.kept)
      for (run, index) in runs.flatMap({ run in run.words.map { (run, $0) } }) {
        let (word, whole) = (words[index], words[index].interval)
        let part = TimeRange(
          start: min(word.core.start, max(whole.start, run.cut.start)),
          end: max(word.core.end, min(whole.end, run.cut.end)))
        let near = TimeRange(start: whole.start - Self.slack, end: whole.end + Self.slack)
        let length = left.clipped(to: whole).length
        let isHeard =
          whole.duration > .zero
          ? left.clipped(to: part).contains { $0.duration > Self.slack }
            || length + length > whole.duration
          : gone.clipped(to: near).isEmpty
        guard isHeard else { continue }
        decision.heard.append(
          HeardWord(
            line: word.line, number: word.number, text: word.text, start: whole.start,
            cause: Self.cause(whole, run), isMostlyHeard: length + length >= whole.duration))
      }
    }
    decision.heard.sort { ($0.start, $0.line, $0.number) < ($1.start, $1.line, $1.number) }
  }

  /// Returns the reason why the struck word at `interval` in `run` is still heard.
  private static func cause(_ interval: TimeRange, _ run: StruckRun) -> HeardWord.Cause {
    if interval.duration <= .zero { return .noLength }
    if run.isGuessed { return .unknownSpeaker }
    let (before, after) = (run.before ?? interval.start, run.after ?? interval.end)
    return before > interval.start || after < interval.end ? .overlap : .shortCut
  }

  private static func short(_ words: [String]) -> String {
    let text = words.joinedWords
    return text.count <= longestReason ? text : "\(text.prefix(longestReason))\u{2026}"
  }
}

extension [TimeRange] {
  /// The total duration.
  fileprivate var length: MediaTime { reduce(.zero) { $0 + $1.duration } }
}
