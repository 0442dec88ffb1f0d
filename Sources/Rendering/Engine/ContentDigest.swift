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

  private mutating func add(bytes: [UInt8]) {
    var count: [UInt8] = []
    for shift in stride(from: 0, to: 64, by: 8) {
      count.append(UInt8(truncatingIfNeeded: bytes.count >> shift))
    }
    hash.update(count)
    hash.update(bytes)
  }

  /// The digest as 64 hexadecimal digits.
  consuming func finish() -> String {
    let bytes = hash.finish()
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
