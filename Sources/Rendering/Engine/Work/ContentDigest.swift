import Foundation
import TesseraSystem

/// A digest of values: what was made from the same ones need not be made again.
struct ContentDigest {
  private var hash = SHA256()

  /// Adds a part; parts that are cut differently make other digests.
  mutating func add(_ text: String) { add(bytes: Array(text.utf8)) }

  /// Adds a value, as JSON with its keys in order.
  mutating func add(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Values that are no JSON, such as infinite numbers, are in no plan.
    add(bytes: (try? encoder.encode(value)).map(Array.init) ?? [0xff])
  }

  /// Adds numbers as they are in memory, which takes less time than as JSON.
  mutating func add(numbers: [Int]) { add(bytes: Self.bytes(of: numbers)) }

  private mutating func add(bytes: [UInt8]) {
    hash.update(Self.bytes(of: [bytes.count]))
    hash.update(bytes)
  }

  /// The numbers with their lowest byte first.
  private static func bytes(of numbers: [Int]) -> [UInt8] {
    numbers.flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }

  /// The digest as 64 hexadecimal digits.
  consuming func finish() -> String {
    let bytes = hash.finish()
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
