/// A row of numbers that is coded as text: second differences (those of every other number, so
/// that pairs work too), zigzag, in base-64 digits of five bits with a continuation bit, as in
/// source maps.
package struct DeltaCoded: Hashable, Sendable {
  /// The numbers.
  package var values: [Int64]

  /// A row of those numbers.
  package init(values: [Int64]) { self.values = values }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let digits: [UInt8] = {
    var digits = [UInt8](repeating: .max, count: 256)
    for (digit, character) in alphabet.enumerated() { digits[Int(character)] = UInt8(digit) }
    return digits
  }()

  private static func prediction(_ values: [Int64], _ index: Int) -> Int64 {
    guard index >= 2 else { return 0 }
    guard index >= 4 else { return values[index - 2] }
    return 2 &* values[index - 2] &- values[index - 4]
  }
}

extension DeltaCoded: Codable {
  package func encode(to encoder: any Encoder) throws {
    var text: [UInt8] = []
    text.reserveCapacity(values.count * 2)
    for index in values.indices {
      let difference = values[index] &- Self.prediction(values, index)
      var rest = UInt64(bitPattern: (difference << 1) ^ (difference >> 63))
      repeat {
        let more: UInt64 = rest > 31 ? 32 : 0
        text.append(Self.alphabet[Int(rest & 31 | more)])
        rest >>= 5
      } while rest > 0
    }
    var container = encoder.singleValueContainer()
    try container.encode(String(decoding: text, as: UTF8.self))
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var values: [Int64] = []
    var (number, shift): (UInt64, UInt64) = (0, 0)
    for character in try container.decode(String.self).utf8 {
      let digit = UInt64(Self.digits[Int(character)])
      // The thirteenth digit of a number has room for the last four of 64 bits.
      guard digit < 64, shift < 60 || shift == 60 && digit < 16 else {
        throw Self.corruption(in: container)
      }
      number |= (digit & 31) << shift
      shift += 5
      guard digit < 32 else { continue }
      let difference = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
      values.append(Self.prediction(values, values.count) &+ difference)
      (number, shift) = (0, 0)
    }
    guard shift == 0 else { throw Self.corruption(in: container) }
    self.values = values
  }

  private static func corruption(
    in container: any SingleValueDecodingContainer
  ) -> DecodingError {
    .dataCorruptedError(in: container, debugDescription: "not a coded row of numbers")
  }
}
