import Foundation
import TesseraMedia
import TestSupport
import Testing

@Suite struct DeltaCodedTests {
  private static func text(_ values: [Int64]) throws -> String {
    let data = try JSONEncoder().encode([DeltaCoded(values: values)])
    return try JSONDecoder().decode([String].self, from: data)[0]
  }

  private static func values(_ text: String) throws -> [Int64] {
    let data = try JSONEncoder().encode([text])
    return try JSONDecoder().decode([DeltaCoded].self, from: data)[0].values
  }

  @Test(
    arguments: [
      [], [0], [-1], [.min], [.max], [.min, .max], [.max, .min, .max, .min, .max, .min],
      [.min, .min, 0, .max, .max, 1, -1, .min], [1, 2, 3, 4, 5, 6, 7],
    ] as [[Int64]])
  func everyRowComesBack(values: [Int64]) throws {
    #expect(try Self.values(try Self.text(values)) == values)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func randomRowsComeBack(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for count in 0..<100 {
      let bits = Int64.random(in: 0...63, using: &random)
      let values = (0..<count).map { _ in Int64.random(in: .min ... .max, using: &random) >> bits }
      #expect(try Self.values(try Self.text(values)) == values)
    }
  }

  @Test func evenStepsTakeOneCharacterEach() throws {
    let values = (0..<1000).map { 512 * Int64($0) }
    #expect(try Self.text(values).count < 1000 + 12)
  }

  @Test(arguments: [
    " ", "A A", "?", "é", "=", "-A", "ggggggggggggggggA", "A\u{0}A", "g", "AAg",
    // Thirteen digits carry 65 bits: the last one may only hold four.
    "/////////////////", "////////////f",
  ])
  func whatIsNoRowIsRefused(text: String) {
    #expect(throws: DecodingError.self) { try Self.values(text) }
  }

  @Test func noTextTraps() throws {
    var random = SplitMix64(seed: 9)
    let characters = Array("ABCfgwxyz0189+/")
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...24, using: &random)
      let text = String((0..<length).map { _ in characters.randomElement(using: &random) ?? "A" })
      guard let values = try? Self.values(text) else { continue }
      #expect(try Self.values(try Self.text(values)) == values)
    }
  }
}
