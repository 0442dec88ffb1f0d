import Foundation
import TesseraCaptions
import TesseraDocuments
import TesseraRecordings
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPage
@testable import TesseraPlan
@testable import TesseraPlanning

/// Lines struck on a page are cut like words struck in a transcript.
@Suite("Strikes on a page", .timed) struct StrikesTests {
  struct Case: Decodable, CustomTestStringConvertible, Sendable {
    var name: String
    /// The speech of each participant in milliseconds.
    var speaking: [[Int]]
    /// Participant (numbers out of range match nobody), start, end, and 1 for a struck line.
    var lines: [[Int]]
    var busy: [Int]?
    var cut: [Int]
    var mute: [String: [Int]]

    var testDescription: String { name }
  }

  private struct Result: Decodable {
    var cut: [Int]
    var mute: [String: [Int]]
  }

  private static let table = SourceTree.root
    .appending(path: "Tests/Service/PageTests/strikes.json")

  static let cases: [Case] =
    (try? JSONDecoder().decode([Case].self, from: Data(contentsOf: table))) ?? []

  private static func ranges(_ spans: [Int]) -> [TimeRange] {
    stride(from: 0, to: spans.count, by: 2).map {
      TimeRange(
        start: MediaTime(nanoseconds: Int64(spans[$0]) * 1_000_000),
        end: MediaTime(nanoseconds: Int64(spans[$0 + 1]) * 1_000_000))
    }
  }

  private static func spans(_ ranges: [TimeRange]) -> [Int] {
    KeptRanges(keeping: ranges).kept.flatMap { [$0.start, $0.end] }.map {
      Int($0.nanoseconds / 1_000_000)
    }
  }

  @Test("Words of a transcript", arguments: cases)
  func swift(_ test: Case) throws {
    let lines = test.lines.map { row in
      let interval = Self.ranges(Array(row[1...2]))[0]
      let isKnown = test.speaking.indices.contains(row[0])
      var line = Plan.TranscriptLine(
        participant: isKnown ? ParticipantID(rawValue: "\(row[0])") : nil, speaker: "\(row[0])",
        interval: interval, text: "x")
      var word = Transcript.Word("x", from: interval.start, to: interval.end)
      word.isStruck = row[3] == 1
      line.words = [word]
      return line
    }
    let said = Dictionary(
      uniqueKeysWithValues: test.speaking.enumerated().map {
        (ParticipantID(rawValue: "\($0)"), Self.ranges($1))
      })
    let struck = StruckWordResolver(lines, said: said)
    let decision = struck.decision(
      struck.runs, busy: Self.ranges(test.busy ?? []), rate: try #require(FrameRate("100")))
    #expect(Self.spans(decision.cuts.map(\.interval)) == test.cut)
    let mutes = Dictionary(
      uniqueKeysWithValues: decision.mutes.map { ($0.rawValue, Self.spans($1)) })
    #expect(mutes == test.mute)
  }

  private static let hasNode = ["/usr/bin/node", "/usr/local/bin/node"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Returns the output of the page's script for `body`, which can use `Strikes` and `table`.
  private static func run(_ body: String) throws -> Data {
    let script = """
      const table = JSON.parse(require("fs").readFileSync("\(table.path)", "utf8"));
      const Strikes = new Function(\(DocumentValue.text(
        String(decoding: PackageResources.strikes_js, as: UTF8.self)).json()) + "; return Strikes")();
      console.log(JSON.stringify(\(body)));
      """
    return Data(try Tool.run("node", ["-e", script]).text.utf8)
  }

  @Test("Lines of a page, in its own script", .enabled(if: hasNode))
  func javaScript() throws {
    #expect(Self.cases.count >= 18)
    let output = try Self.run(
      """
      table.map(({ lines, speaking, busy }) => {
        const { cut, mute } = Strikes.decide(lines.map(([person, start, end]) => ({ person, start, end })),
          (index) => lines[index][3] === 1, speaking, busy ?? []);
        return { cut, mute: Object.fromEntries(mute) };
      })
      """)
    let results = try JSONDecoder().decode([Result].self, from: output)
    #expect(results.count == Self.cases.count)
    for (test, result) in zip(Self.cases, results) {
      #expect(result.cut == test.cut && result.mute == test.mute, "\(test.name): \(result)")
    }
  }

  @Test("Texts in the page's edit file are preserved", .enabled(if: hasNode))
  func texts() throws {
    let texts = [
      "Ada", "a: b # c", "&x *x - *y", "[[[[[[[[[[[[", "{ [ ]", "\u{7f}\u{1b}\u{85}\u{2028}",
      "\"\\'",
      "日本 😀", "\t\n", "x, y}", "!!str", "% @ `",
    ]
    let list = DocumentValue.list(texts.map { .text($0) })
    let output = try Self.run("\(list.json()).map((text) => Strikes.quoted(text))")
    for (text, quoted) in zip(texts, try JSONDecoder().decode([String].self, from: output)) {
      let yaml = "version: 1\ncut:\n  - { from: 1, to: 2, reason: \(quoted) }\n"
      let edits = try EditList(DocumentValue(Array(yaml.utf8), .yaml, file: "e"), file: "e")
      #expect(edits.cut.first?.reason == text, "\(yaml)")
    }
  }
}
