import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct LayoutFileParserTests {
  private static let samples = [
    """
    {"video_layout": {"a": {"video_sources": ["*"], "x_pos": 10, "cells_excluded": [1, 3],
      "max_columns": 3, "reuse": "none", "width": 640}}, "resolution": "1280x720"}
    """,
    """
    /* a */ stream.big:nth-child(2) ~ stream, #p1 { float: left; width: 33.3%; margin: 1px 2%;
      border: 2px solid #fff } .x { position: absolute; right: 5%; z-index: 3 }
    """,
  ]

  @Test(arguments: 0..<200) func damagedTextIsReadOrRefused(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var bytes = Array(Self.samples[seed % 2].utf8)
    for _ in 0...Int.random(in: 0..<6, using: &random) {
      let index = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 32...126, using: &random)
      case 1: bytes.remove(at: index)
      default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &random)], at: index)
      }
    }
    do {
      let policy = try LayoutFileParser.policy(String(decoding: bytes, as: UTF8.self))
      var engine = try LayoutEngine(policy: policy, canvas: landscape)
      #expect(engine.place(people(7)).allSatisfy { $0.frame.x.isFinite && $0.frame.y.isFinite })
    } catch {
      let sentence = "\(error)"
      #expect(sentence.hasSuffix(".") || sentence.hasSuffix("?"))
    }
  }

  @Test func largeFilesAreRefused() {
    let message = message {
      _ = try LayoutFileParser.policy(
        String(repeating: " ", count: LayoutFileParser.maximumSize + 1))
    }
    #expect(
      message
        == "the layout file cannot be read: it is larger than a megabyte, which no layout is.")
  }

  @Test func deepFilesAreRefused() {
    let deep = #"{"a": "# + String(repeating: "[", count: 5000)
    #expect(message { _ = try LayoutFileParser.policy(deep) } != nil)
  }
}
