package import TesseraTimeline

/// A decimal number as it was written, so that nothing of it is lost.
package struct Numeral: Hashable, Sendable {
  /// The digits with their sign, point and exponent.
  package let text: String

  /// The most characters of a number: more than any that is exact as a `Double` has.
  static let longest = 400

  /// The number that `text` writes: a sign, digits with at most one point among them, an exponent;
  /// nil for anything else, and for what is longer than any number needs to be.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest, Parts(text) != nil else { return nil }
    self.text = text
  }

  /// A whole number.
  package init(_ value: Int) { text = String(value) }

  /// The value, where it is whole and fits.
  package var integer: Int? {
    guard let parts = Parts(text), parts.isWhole else { return nil }
    return scaled(byPowerOfTen: 0).map(Int.init)
  }

  /// The nearest `Double`; never to be used for times.
  package var double: Double { Double(text) ?? .nan }

  /// The value times ten to the power of `power`, rounded half away from zero to a whole number;
  /// nil where that does not fit.
  package func scaled(byPowerOfTen power: Int) -> Int64? {
    guard let parts = Parts(text) else { return nil }
    return parts.scaled(by: power)
  }

  /// The units in which times are written.
  package enum TimeUnit: Int, Sendable {
    case seconds = 9
    case milliseconds = 6
    case microseconds = 3
    case nanoseconds = 0
  }

  /// The time that the number says in `unit`, exactly, what is below a nanosecond rounded; nil
  /// where it does not fit into 292 years.
  package func time(_ unit: TimeUnit) -> MediaTime? {
    scaled(byPowerOfTen: unit.rawValue).map { MediaTime(nanoseconds: $0) }
  }
}

/// The parts of a decimal number.
private struct Parts {
  private var isNegative = false
  /// The digits from the first that is not 0 on.
  private var digits: [UInt8] = []
  /// The power of ten by which the digits, as a whole number, are to be multiplied.
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

  /// Whether nothing but zeros stands after the point.
  var isWhole: Bool {
    guard power < 0 else { return true }
    return digits.count <= -power
      ? digits.isEmpty : digits.suffix(-power).allSatisfy { $0 == 0 }
  }

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
