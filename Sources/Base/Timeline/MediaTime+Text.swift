extension MediaTime: LosslessStringConvertible {
  /// Parses seconds (`12`, `12.345`) or a clock time (`[hh:]mm:ss[.mmm]`) exactly, with up to nine
  /// decimals.
  ///
  /// Returns `nil` for any other text, including a sign, or a field after the first that exceeds
  /// 59.
  public init?(_ description: String) {
    let fields = description.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count <= 3, let last = fields.last else { return nil }
    var minutes: Int64 = 0
    for (position, field) in fields.dropLast().enumerated() {
      guard field.count <= 6, let value = Int(digits: field) else { return nil }
      guard position == 0 || value < 60 else { return nil }
      minutes = minutes *| 60 +| Int64(value)
    }
    guard let nanoseconds = Self.nanoseconds(decimalSeconds: last) else { return nil }
    guard fields.count == 1 || nanoseconds < 60 *| Self.nanosecondsPerSecond else { return nil }
    let total = Int128(minutes) * 60 * Int128(Self.nanosecondsPerSecond) + Int128(nanoseconds)
    guard total < Int128(Self.bound) else { return nil }
    self.nanoseconds = Int64(total)
  }

  /// Parses decimal seconds as nanoseconds; returns `nil` for any other text.
  private static func nanoseconds(decimalSeconds text: Substring) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts[0].count <= 10, let whole = Int(digits: parts[0])
    else { return nil }
    guard parts.count == 2 else { return Int64(whole) *| nanosecondsPerSecond }
    guard parts[1].count <= 9, let fraction = Int(digits: parts[1]) else { return nil }
    let scale = (parts[1].count..<9).reduce(1) { scale, _ in scale * 10 }
    return Int64(whole) *| nanosecondsPerSecond +| Int64(fraction * scale)
  }

  /// The time in seconds with at least three decimals and as many as necessary: `12.345`.
  public var description: String {
    let magnitude = nanoseconds.magnitude
    let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    var decimals = String(rest)
    decimals = String(repeating: "0", count: 9 - decimals.count) + decimals
    while decimals.count > 3, decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(nanoseconds < 0 ? "-" : "")\(whole).\(decimals)"
  }

  /// The magnitude of the time as a clock time, truncated to a second: `4:05`, or `1:02:03` from an
  /// hour on.
  public var clock: String {
    let seconds = Int(nanoseconds.magnitude / 1_000_000_000)
    let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
  }
}

extension MediaTime {
  /// The time as a WebVTT timestamp, truncated to a millisecond: `00:04:05.200`. Negative times
  /// give 0.
  package var cueStamp: String {
    let milliseconds = max(0, nanoseconds) / 1_000_000
    let padded = { (value: Int64, width: Int) in
      String(repeating: "0", count: max(0, width - "\(value)".count)) + "\(value)"
    }
    let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
    let (seconds, rest) = (milliseconds / 1000 % 60, milliseconds % 1000)
    return "\(padded(hours, 2)):\(padded(minutes, 2)):\(padded(seconds, 2)).\(padded(rest, 3))"
  }

  /// The magnitude of the time as a clock time, truncated to a tenth of a second: `4:05.2`.
  public var clockWithTenths: String { "\(clock).\(nanoseconds.magnitude / 100_000_000 % 10)" }

  /// The magnitude of the time as a clock time with as many decimals as necessary: `4:05`, `4:05.25`.
  package var exactClock: String {
    var decimals = description.drop { $0 != "." }
    while let last = decimals.last, last == "0" || last == "." { decimals.removeLast() }
    return clock + decimals
  }
}

extension MediaTime {
  /// The nearest whole second, for lengths in texts: ``clock`` alone truncates, as clocks do.
  package var roundedToSeconds: MediaTime { rounded(to: 1_000_000_000) }

  /// The nearest tenth of a second, for lengths in texts.
  package var roundedToTenths: MediaTime { rounded(to: 100_000_000) }

  private func rounded(to unit: Int64) -> MediaTime {
    let half = (nanoseconds < 0 ? 0 -| unit : unit) / 2
    return MediaTime(nanoseconds: (nanoseconds +| half) / unit *| unit)
  }
}

extension Int {
  /// Parses a non-empty run of ASCII digits; returns `nil` for any other text, including a sign.
  init?(digits text: Substring) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    self.init(text)
  }
}
