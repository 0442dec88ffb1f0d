import TesseraCaptions
import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning

/// Cuts and mutes for struck words, computed from times alone.
@Suite("Times of struck words", .timed) struct StruckWordResolverTests {
  /// Parses a call in text: one line per participant, such as `a: 0.2-0.9 so, 0.9-1.6 um*`. A star
  /// strikes a word.
  private static func lines(_ text: String) -> [Plan.TranscriptLine] {
    text.split(separator: "\n").map { row in
      let parts = row.split(separator: ":", maxSplits: 1)
      let words = parts[1].split(separator: ",").map { entry in
        let fields = entry.split(separator: " ")
        let times = fields[0].split(separator: "-").map { time(Double($0) ?? 0) }
        var word = Transcript.Word(
          String(fields[1].prefix { $0 != "*" }), from: times[0], to: times[1])
        word.isStruck = fields[1].hasSuffix("*")
        return word
      }
      let name = String(parts[0])
      let isParticipant = name.first?.isLowercase == true
      var line = Plan.TranscriptLine(
        participant: isParticipant ? ParticipantID(rawValue: name) : nil, speaker: name,
        interval: TimeRange(start: words[0].from, end: words.map(\.to).max() ?? .zero),
        text: words.map(\.text).joined(separator: " "))
      line.words = words
      return line
    }
  }

  private static func time(_ seconds: Double) -> MediaTime {
    MediaTime(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  /// Parses spans such as `0.9-1.6 11-11.7`.
  private static func ranges(_ text: String) -> [TimeRange] {
    text.split(separator: " ").map { span in
      let times = span.split(separator: "-").map { time(Double($0) ?? 0) }
      return TimeRange(start: times[0], end: times[1])
    }
  }

  private static func text(_ ranges: [TimeRange]) -> String {
    KeptRanges(keeping: ranges).kept.map { "\($0.start.seconds)-\($0.end.seconds)" }
      .joined(separator: " ")
  }

  /// Returns the speech of each participant: their words, unless `said` has other times.
  private static func said(
    _ lines: [Plan.TranscriptLine], _ said: [String: String]
  ) -> [ParticipantID: [TimeRange]] {
    var speech: [ParticipantID: [TimeRange]] = [:]
    for line in lines {
      guard let id = line.participant else { continue }
      speech[id, default: []] += line.words.map { TimeRange(start: $0.from, end: $0.to) }
    }
    for (name, spans) in said { speech[ParticipantID(rawValue: name)] = ranges(spans) }
    return speech.mapValues { KeptRanges(keeping: $0).kept }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var call: String
    /// Speech by participant, in addition to the transcript.
    var said: [String: String] = [:]
    var busy = ""
    var muted: [String: String] = [:]
    var rate = FrameRate.thirty
    /// The expected cuts, and the expected mutes by participant.
    var cut = ""
    var mutes: [String: String] = [:]
    var reasons: [String]?
    /// The expected number of struck words that are still heard.
    var heard = 0
  }

  static let cases = [
    Case(
      testDescription: "the end of a turn and the beginning of the next",
      call: "a: 0.2-0.9 so, 0.9-1.6 um*\nb: 2.5-9 talk\na: 11-11.7 um*, 11.7-12.6 yes",
      cut: "0.9-1.6 11.0-11.7", reasons: ["“um”", "“um”"]),
    Case(
      testDescription: "a line that continues within a breath",
      call: "a: 0-1 so, 1-1.5 well*\na: 2-2.5 um*, 2.5-3 yes", cut: "1.0-2.5",
      reasons: ["“well um”"]),
    Case(
      testDescription: "a line that continues after more than a breath",
      call: "a: 0-1 so, 1-1.5 well*\na: 2.2-2.5 um*, 2.5-3 yes", cut: "1.0-1.5 2.2-2.5"),
    Case(
      testDescription: "a kept word of another participant in the breath",
      call: "a: 0-1 so, 1-1.5 well*\nb: 1.6-1.9 right\na: 2-2.5 um*, 2.5-3 yes",
      cut: "1.0-1.5 2.0-2.5"),
    Case(
      testDescription: "a long gap in one line",
      call: "a: 0-1 so, 1-1.5 well*, 6-6.5 um*, 6.5-7 yes", cut: "1.0-1.5 6.0-6.5"),
    Case(
      testDescription: "a second of the shorter pause is cut",
      call: "a: 0-1 so, 6-6.5 um*, 11-12 yes", cut: "6.0-7.5"),
    Case(
      testDescription: "the shorter pause is cut",
      call: "a: 0-1 so, 1.5-2 um*, 3-4 yes", cut: "1.5-2.5"),
    Case(
      testDescription: "no pause before", call: "a: 1-1.5 um*, 3-4 yes", cut: "1.0-1.5"),
    Case(
      testDescription: "no pause after", call: "a: 0-1 so, 3-3.5 um*", cut: "3.0-3.5"),
    Case(
      testDescription: "a pause up to another participant's word",
      call: "b: 0-0.5 so\na: 0-0.2 x, 1-1.5 um*, 3-4 yes\nb: 1.8-2 right", cut: "1.0-1.8"),
    Case(
      testDescription: "a screen moves in the pause",
      call: "a: 0-1 so, 6-6.5 um*, 11-12 yes", busy: "7-8", cut: "6.0-6.5"),
    Case(
      testDescription: "another participant without a transcript speaks in the pause",
      call: "a: 0-1 so, 6-6.5 um*, 11-12 yes", said: ["b": "6.7-7"], cut: "6.0-6.5"),
    Case(
      testDescription: "another participant without a transcript speaks meanwhile",
      call: "a: 0-1 so, 1-2 um*, 2-3 yes", said: ["b": "1.5-2.5"], cut: "1.0-1.5",
      mutes: ["a": "1.5-2.0"]),
    Case(
      testDescription: "another participant speaks meanwhile, and is muted",
      call: "a: 0-1 so, 1-2 um*, 2-3 yes\nb: 1.5-2.5 well", muted: ["b": "1-3"], cut: "1.0-2.0"),
    Case(
      testDescription: "a simultaneous kept word stays complete",
      call: "a: 0-1 so, 1-2 um*, 1.6-2.5 yes", cut: "1.0-1.6", heard: 1),
    Case(
      testDescription: "a simultaneous kept word, while another participant speaks",
      call: "a: 0-1 so, 1-2 um*, 1.6-2.5 yes\nb: 1-3 well", mutes: ["a": "1.0-1.6"], heard: 1),
    Case(
      testDescription: "a word without a length", call: "a: 0-1 so, 1.2-1.2 um*, 1.5-2 yes",
      heard: 1),
    Case(
      testDescription: "a word without a length in a run",
      call: "a: 0-1 so, 1-1.2 you*, 1.2-1.2 um*, 1.2-1.5 know*, 1.5-2 yes", cut: "1.0-1.5"),
    Case(
      testDescription: "a word too short to be cut",
      call: "a: 0-1 so, 1-1.05 um*, 1.05-2 yes",
      mutes: ["a": "1.0-1.05"]),
    Case(
      testDescription: "a word without a whole frame",
      call: "a: 0-1 so, 1.11-1.29 um*, 1.29-2 yes", rate: FrameRate("5") ?? .thirty,
      mutes: ["a": "1.11-1.29"]),
    Case(
      testDescription: "a low frame rate takes nothing from adjacent words",
      call: "a: 0-1 so, 1.11-1.69 um*, 1.69-2 yes", rate: FrameRate("5") ?? .thirty,
      cut: "1.2-1.6", mutes: ["a": "1.11-1.2 1.6-1.69"]),
    Case(
      testDescription: "an unknown speaker",
      call: "S0: 0-1 so, 1-2 um*, 2-3 yes", said: ["a": "0-3"], cut: "1.0-2.0"),
    Case(
      testDescription: "an unknown speaker, while another participant speaks",
      call: "S0: 0-1 so, 1-2 um*, 2-3 yes", said: ["a": "0-3", "b": "1.4-2.2"], cut: "1.0-1.4",
      heard: 1),
    Case(
      testDescription: "two unknown speakers",
      call: "S0: 0-1 so, 1-2 um*, 2-3 yes\nS1: 1.5-2.5 well", said: ["a": "0-3"], cut: "1.0-1.5",
      heard: 1),
    Case(
      testDescription: "overlapping struck words of two participants",
      call: "a: 0-1 so, 1-2 um*, 2-3 yes\nb: 1-2 er*", cut: "1.0-2.0"),
  ]

  @Test("Cuts and mutes", arguments: cases)
  func cutsAndMutes(_ test: Case) {
    let lines = Self.lines(test.call)
    let struck = StruckWordResolver(
      lines, said: Self.said(lines, test.said),
      mutes: Dictionary(
        uniqueKeysWithValues: test.muted.map { (ParticipantID(rawValue: $0), Self.ranges($1)) }))
    let decision = struck.decision(struck.runs, busy: Self.ranges(test.busy), rate: test.rate)
    #expect(Self.text(decision.cuts.map(\.interval)) == test.cut)
    let mutes = Dictionary(
      uniqueKeysWithValues: decision.mutes.map { ($0.rawValue, Self.text($1)) })
    #expect(mutes == test.mutes)
    #expect(decision.heard.count == test.heard)
    if let reasons = test.reasons { #expect(decision.cuts.map(\.reason) == reasons) }
  }

  @Test("A cut always holds the middle of a word; one that leaves more is reported")
  func middles() throws {
    let struck = StruckWordResolver(
      Self.lines("a: 0-1 so, 1-1.16 um*, 1.16-2 yes, 3-3.6 er*, 3.7-3.8 ah*, 5-6 no"), said: [:])
    #expect(Self.text(struck.runs.map(\.core)) == "1.04-1.12 3.08-3.775")
    for (cut, heard) in [("1-1.16", 0), ("1.04-1.12", 0), ("1.07-1.09", 1)] {
      var run = struck.runs[0]
      run.cut = Self.ranges(cut)[0]
      let decision = struck.decision([run], busy: [], rate: .thirty)
      #expect(decision.heard.count == heard, "\(cut) \(decision)")
      #expect(decision.heard.allSatisfy { $0.cause == .shortCut && $0.isMostlyHeard })
    }
  }

  @Test("A note names the first struck words that are still heard")
  func notes() {
    let causes: [StruckWordResolver.HeardWord.Cause] = [.noLength, .overlap, .unknownSpeaker]
    let words = (0..<5).map { number in
      StruckWordResolver.HeardWord(
        line: 0, number: number, text: "um", start: Self.time(Double(number) + 60.25),
        cause: causes[number % 3], isMostlyHeard: true)
    }
    #expect(
      WordCutPlanner.note(Array(words[..<1])).description
        == "1 struck word is still heard, in whole or in part: “um” at 1:00.2 (it has no length). "
        + "Captions keep what is heard.")
    let five = WordCutPlanner.note(words).description
    #expect(five.hasPrefix("5 struck words are still heard, in whole or in part: “um” at 1:00.2 "))
    #expect(five.contains("“um” at 1:02.2 (its speaker fits no"))
    #expect(five.hasSuffix(" and 2 more. Captions keep what is heard."))
  }

  /// Returns a random call: up to four participants in lines of up to eight words, some of them
  /// struck.
  private static func randomCall(_ random: inout SplitMix64) -> [Plan.TranscriptLine] {
    func milliseconds(_ range: ClosedRange<Int64>) -> MediaTime {
      MediaTime(nanoseconds: Int64.random(in: range, using: &random) * 1_000_000)
    }
    let strikes = Double.random(in: 0...1, using: &random)
    var lines: [Plan.TranscriptLine] = []
    for person in 0..<Int.random(in: 1...4, using: &random) {
      var time = milliseconds(0...5000)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let id = ParticipantID(rawValue: "p\(person)")
        var line = Plan.TranscriptLine(
          participant: id, speaker: nil, interval: TimeRange(start: time, end: time), text: "x")
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let length = Bool.random(using: &random) ? milliseconds(0...120) : milliseconds(100...900)
          var word = Transcript.Word("x", from: time, to: time + length)
          word.isStruck = Double.random(in: 0...1, using: &random) < strikes
          line.words.append(word)
          // Words may overlap, follow each other immediately, or after a pause.
          let step = [milliseconds(0...0), milliseconds(0...300), milliseconds(-200...2500)]
          time = max(word.from, word.to + step[Int.random(in: 0..<3, using: &random)])
        }
        line.interval.end = line.words.map(\.to).max() ?? time
        lines.append(line)
        time = time + milliseconds(0...4000)
      }
    }
    return lines.sorted { $0.interval.start < $1.interval.start }
  }

  @Test("Struck words are silent, and kept words are complete", arguments: 0..<500)
  func anyWords(_ seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let lines = Self.randomCall(&random)
    var said = Self.said(lines, [:])
    // A participant without a transcript.
    let start = Self.time(Double.random(in: 0...20, using: &random))
    said[ParticipantID(rawValue: "q")] = [
      TimeRange(start: start, end: start + Self.time(Double.random(in: 0...3, using: &random)))
    ]
    let rate = try #require(FrameRate(["30", "25", "10"].randomElement(using: &random) ?? "30"))
    let struck = StruckWordResolver(lines, said: said)
    let decision = struck.decision(struck.runs, busy: [], rate: rate)
    let cuts = KeptRanges(keeping: decision.cuts.map(\.interval)).kept
    func length(_ ranges: [TimeRange]) -> MediaTime {
      KeptRanges(keeping: ranges).kept.reduce(.zero) { $0 + $1.duration }
    }
    let slack = StruckWordResolver.slack
    for line in lines {
      let id = try #require(line.participant)
      let muted = decision.mutes[id] ?? []
      // A kept word without a length may be slightly off.
      let own = lines.filter { $0.participant == id }.flatMap(\.words).filter { !$0.isStruck }.map {
        let margin = $0.to > $0.from ? .zero : slack
        return TimeRange(start: $0.from - margin, end: $0.to + margin)
      }
      for (number, word) in line.words.enumerated() {
        let interval = TimeRange(start: word.from, end: word.to)
        if word.isStruck {
          let gone = KeptRanges(keeping: cuts + muted + own)
          let heard = KeptRanges(cutting: gone.kept).clipped(to: interval)
          #expect(heard.allSatisfy { $0.duration <= slack }, "\(id) \(number) \(word) \(heard)")
        } else {
          #expect(
            KeptRanges(keeping: muted).clipped(to: interval).isEmpty, "\(id) \(number) \(word)")
          let lost = KeptRanges(keeping: cuts).clipped(to: interval)
          #expect(lost.isEmpty, "\(id) \(number) \(word) \(lost)")
        }
      }
    }
    for speech in said[ParticipantID(rawValue: "q")] ?? [] {
      #expect(KeptRanges(keeping: cuts).clipped(to: speech).isEmpty)
    }
    // After a run of struck words, at most 1 s of the pause is cut; no other pause is cut.
    let spoken = lines.flatMap(\.words).map { TimeRange(start: $0.from, end: $0.to) }
    let pauses = KeptRanges(cutting: spoken + struck.runs.map(\.interval)).kept
    for pause in pauses {
      let gone = length(KeptRanges(keeping: cuts).clipped(to: pause))
      let isAfterRun = struck.runs.contains { $0.interval.end == pause.start }
      #expect(
        gone <= (isAfterRun ? StruckWordResolver.longestPause : .zero) + slack + slack,
        "\(pause) \(gone)")
    }
  }
}
