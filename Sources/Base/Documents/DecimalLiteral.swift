package import TesseraTimeline

/// A decimal number as it was written, without loss of digits.
package struct DecimalLiteral: Hashable, Sendable {
  /// The number as written: sign, digits, point and exponent.
  package let text: String

  /// The largest number of characters: more than any number has that is exact as a `Double`.
  static let longest = 400

  /// Parses a sign, digits with at most one point, and an exponent. Returns `nil` for any other
  /// text and for text longer than ``longest``.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest, DecimalParts(text) != nil else { return nil }
    self.text = text
  }

  package init(_ value: Int) { text = String(value) }

  /// The value as an `Int`; `nil` if it is not whole or does not fit.
  package var integer: Int? {
    guard let parts = DecimalParts(text), parts.isWhole else { return nil }
    return scaled(byPowerOfTen: 0).map(Int.init)
  }

  /// The nearest `Double`. Not for times, which have to be exact.
  package var double: Double { Double(text) ?? .nan }

  /// Returns the value times ten to the power of `power`, rounded to an integer, half away from
  /// zero; `nil` if it does not fit.
  package func scaled(byPowerOfTen power: Int) -> Int64? {
    guard let parts = DecimalParts(text) else { return nil }
    return parts.scaled(by: power)
  }

  /// The units of times, by their power of ten in nanoseconds.
  package enum TimeUnit: Int, Sendable {
    case seconds = 9
    case milliseconds = 6
    case microseconds = 3
    case nanoseconds = 0
  }

  /// Returns the number of `unit`s as a time, rounded to a nanosecond; `nil` if it exceeds 292
  /// years.
  package func time(_ unit: TimeUnit) -> MediaTime? {
    scaled(byPowerOfTen: unit.rawValue).map { MediaTime(nanoseconds: $0) }
  }
}

/// The parsed parts of a decimal number.
private struct DecimalParts {
  private var isNegative = false
  /// The digits from the first non-zero one on.
  private var digits: [UInt8] = []
  /// The power of ten by which the digits, read as an integer, are multiplied.
  private var power = 0

  init?(_ text: String) {
    var rest = text.utf8[...]
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest.removeFirst()
    }
    var (count, hasPoint) = (0, false)
    while let next = rest.first {
      if next == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else if (48...57).contains(next) {
        count += 1
        if hasPoint { power -= 1 }
        if next != 48 || !digits.isEmpty { digits.append(next - 48) }
      } else {
        break
      }
      rest.removeFirst()
    }
    guard count > 0 else { return nil }
    guard let exponent = Self.exponent(rest) else { return nil }
    power += exponent
  }

  /// Parses an exponent, clamped to 100,000; 0 if the text is empty, `nil` if it is invalid.
  private static func exponent(_ text: Substring.UTF8View) -> Int? {
    guard let mark = text.first else { return 0 }
    guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
    var rest = text.dropFirst()
    let sign = rest.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    guard !rest.isEmpty else { return nil }
    var value = 0
    for digit in rest {
      guard (48...57).contains(digit) else { return nil }
      value = min(100_000, value * 10 + Int(digit - 48))
    }
    return sign == UInt8(ascii: "-") ? -value : value
  }

  /// True if all digits after the point are zeros.
  var isWhole: Bool {
    guard power < 0 else { return true }
    return digits.count <= -power
      ? digits.isEmpty : digits.suffix(-power).allSatisfy { $0 == 0 }
  }

  /// Returns the value times ten to the power of `other`, rounded half away from zero; `nil` if it
  /// does not fit.
  func scaled(by other: Int) -> Int64? {
    let shift = power + other
    guard !digits.isEmpty else { return 0 }
    let kept = digits.count + shift
    guard kept <= 19 else { return nil }
    guard kept >= 0 else { return 0 }
    var value: UInt64 = 0
    for position in 0..<kept {
      value = value * 10 + (position < digits.count ? UInt64(digits[position]) : 0)
    }
    if kept < digits.count, digits[kept] >= 5 { value += 1 }
    guard value <= UInt64(Int64.max) else { return nil }
    return isNegative ? 0 -| Int64(value) : Int64(value)
  }
}
