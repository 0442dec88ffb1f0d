/// Parsing and formatting of wall-clock times in ISO 8601 and in the forms of file names.
package enum WallClockFormat {
  /// Parses `text`, an ISO 8601 date and time and nothing else, as the time since 1970.
  ///
  /// Without a zone, the time is in UTC. Returns `nil` for any other text.
  package static func parse(_ text: String) -> MediaTime? {
    let bytes = Array(text.utf8)
    guard let (count, time, _) = scan(bytes[...]), count == bytes.count else { return nil }
    return time
  }

  /// Formats a time since 1970 in ISO 8601, in UTC, with at least three decimals and as many as
  /// necessary.
  package static func text(_ time: MediaTime) -> String {
    let (seconds, rest) = floorDivide(time.nanoseconds, 1_000_000_000)
    let (days, second) = floorDivide(seconds, 86400)
    let (year, month, day) = civil(days)
    var decimals = padded(rest, 9)
    while decimals.utf8.count > 3, decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(second / 3600, 2)):"
      + "\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2)).\(decimals)Z"
  }

  /// Parses the date and time at the beginning of `bytes`, and returns the number of bytes parsed,
  /// the time since 1970 and whether the time has seconds.
  ///
  /// The form is `2025-10-09T08:53:20Z`, with or without separators, a fraction and a `Z` or an
  /// offset. One of `words` may precede the time of day, which then may have a spoken form:
  /// `2025-10-09 at 8.53.20 AM`.
  ///
  /// If `isLoose`, further forms are accepted: times without seconds, two-digit years as in
  /// `251009_085320`, dates with the year last and with months in words (`09 October 2025`,
  /// `09-Oct-25`), and a trailing `UTC` or `GMT`.
  package static func scan(
    _ bytes: ArraySlice<UInt8>, before words: [String] = [], isLoose: Bool = false
  ) -> (count: Int, time: MediaTime, hasSeconds: Bool)? {
    guard
      let (length, midnight) = day(bytes)
        ?? (isLoose ? mixedDay(bytes) ?? shortDay(bytes) : nil)
    else { return nil }
    var scanner = DateScanner(rest: bytes.dropFirst(length))
    let word = words.first { scanner.rest.starts(with: $0.utf8) }
    if let word {
      scanner.rest = scanner.rest.dropFirst(word.utf8.count)
    } else {
      scanner.skip("T_ -t")
    }
    guard var hour = scanner.number(2) ?? (word == nil && !isLoose ? nil : scanner.number(1)),
      hour < 24
    else { return nil }
    scanner.skip(":-._h")
    guard let minute = scanner.number(2), minute < 60 else { return nil }
    let hasMinutes = scanner
    scanner.skip(":-._m")
    var (second, fraction, hasSeconds) = (0, Int64(0), false)
    if let number = scanner.number(2), number <= 60 {
      (second, fraction, hasSeconds) = (number, scanner.fraction(), true)
    } else {
      guard isLoose, !hasMinutes.startsWithDigit else { return nil }
      scanner = hasMinutes
    }
    if word != nil || isLoose, let isAfternoon = scanner.half() {
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    let offset = scanner.zone()
    if isLoose { scanner.skipUTC() }
    guard !scanner.startsWithDigit else { return nil }
    let seconds = hour * 3600 + minute * 60 + second - offset
    return (
      bytes.count - scanner.rest.count,
      midnight + MediaTime(nanoseconds: Int64(seconds) *| 1_000_000_000 +| fraction),
      hasSeconds
    )
  }

  /// Parses the date at the beginning of `bytes`, and returns the number of bytes parsed and the
  /// date's midnight in UTC.
  package static func day(_ bytes: ArraySlice<UInt8>) -> (count: Int, time: MediaTime)? {
    var scanner = DateScanner(rest: bytes)
    guard let year = scanner.number(4), (1970...2090).contains(year) else { return nil }
    scanner.skip("-_.")
    guard let month = scanner.number(2), (1...12).contains(month) else { return nil }
    scanner.skip("-_.")
    guard let day = scanner.number(2), (1...31).contains(day) else { return nil }
    return (
      bytes.count - scanner.rest.count, MediaTime(seconds: days(year, month, day) * 86400)
    )
  }

  /// Parses a date with the year last at the beginning of `bytes`: a day and a month in words, or
  /// two numbers. The month is the first number unless that is impossible.
  private static func mixedDay(_ bytes: ArraySlice<UInt8>) -> (count: Int, time: MediaTime)? {
    var scanner = DateScanner(rest: bytes)
    var (numbers, month) = ([Int](), Int?.none)
    for _ in 0..<2 {
      if let number = scanner.number(2) ?? scanner.number(1) {
        numbers.append(number)
      } else {
        let letters = scanner.rest.prefix { (97...122).contains($0 | 0x20) }
        let name = String(decoding: letters.prefix(3).map { $0 | 0x20 }, as: UTF8.self)
        guard month == nil, let index = months.firstIndex(of: name) else { return nil }
        month = index + 1
        scanner.rest = scanner.rest.dropFirst(letters.count)
      }
      let count = scanner.rest.count
      for _ in 0..<2 { scanner.skip("-_. ,") }
      guard scanner.rest.count < count else { return nil }
    }
    // A two-digit year is accepted only with the month in words.
    let short = month == nil ? nil : Int?.some(2000)
    guard
      let year = scanner.number(4)
        ?? short.flatMap({ century in scanner.number(2).map { $0 + century } }),
      (1970...2090).contains(year), !scanner.startsWithDigit
    else { return nil }
    if month == nil { month = numbers.remove(at: numbers[0] > 12 ? 1 : 0) }
    guard let month, (1...12).contains(month), let day = numbers.first, (1...31).contains(day)
    else { return nil }
    return (
      bytes.count - scanner.rest.count, MediaTime(seconds: days(year, month, day) * 86400)
    )
  }

  /// Parses a date of six or eight digits in any order, followed by a time of six digits. A
  /// two-digit year is first if possible, and a month precedes a day if possible.
  private static func shortDay(_ bytes: ArraySlice<UInt8>) -> (count: Int, time: MediaTime)? {
    let count = bytes.prefix { (48...57).contains($0) }.count
    var time = DateScanner(rest: bytes.dropFirst(count))
    time.skip("_-T")
    guard count == 6 || count == 8, time.rest.count + count < bytes.count, time.number(6) != nil,
      !time.startsWithDigit
    else { return nil }
    var scanner = DateScanner(rest: bytes)
    let pairs = (0..<count / 2).compactMap { _ in scanner.number(2) }
    let (first, second, last) = (pairs[0], pairs[1], pairs[2])
    let year = count == 8 ? last * 100 + pairs[3] : 2000 + last
    let orders = [(2000 + first, second, last), (year, first, second), (year, second, first)]
    let found = orders.dropFirst(count == 8 ? 1 : 0).first { year, month, day in
      (2010..<2050).contains(year) && (1...12).contains(month) && (1...31).contains(day)
    }
    return found.map { (count, MediaTime(seconds: days($0, $1, $2) * 86400)) }
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Returns the number of days from 1970 to a date of the Gregorian calendar (Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms").
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468
  }

  /// Returns the date `days` days after 1970 (Hinnant's inverse of ``days(_:_:_:)``).
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(days +| 719468, 146097)
    let yearOfEra =
      (dayOfEra -| dayOfEra / 1460 +| dayOfEra / 36524 -| dayOfEra / 146096) / 365
    let dayOfYear = dayOfEra -| (365 *| yearOfEra +| yearOfEra / 4 -| yearOfEra / 100)
    let shifted = (5 *| dayOfYear +| 2) / 153
    let month = shifted < 10 ? shifted +| 3 : shifted -| 9
    let year = yearOfEra +| era *| 400 +| (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear -| (153 *| shifted +| 2) / 5 +| 1)
  }

  /// Divides by a positive divisor with rounding towards negative infinity.
  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient -| 1, rest +| divisor) : (quotient, rest)
  }

  /// Formats a number with at least `count` digits.
  private static func padded(_ value: Int64, _ count: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}

/// A scanner for the parts of a date and time.
private struct DateScanner {
  var rest: ArraySlice<UInt8>

  var startsWithDigit: Bool { rest.first.map { (48...57).contains($0) } ?? false }

  /// Consumes exactly `count` digits; returns `nil`, and consumes nothing, if there are fewer.
  mutating func number(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// Consumes the next byte if it is one of `letters`.
  mutating func skip(_ letters: StaticString) {
    if let next = rest.first, "\(letters)".utf8.contains(next) { rest = rest.dropFirst() }
  }

  /// Consumes the fraction of a second, in nanoseconds: any digits after a point or comma,
  /// otherwise exactly three or six; 0 without a fraction.
  mutating func fraction() -> Int64 {
    var digits = rest
    var hasPoint = false
    if let next = digits.first, ".,-_:".utf8.contains(next) {
      hasPoint = next == UInt8(ascii: ".") || next == UInt8(ascii: ",")
      digits = digits.dropFirst()
    }
    let run = digits.prefix { (48...57).contains($0) }
    guard hasPoint ? (1...12).contains(run.count) : [3, 6].contains(run.count) else { return 0 }
    rest = digits.dropFirst(run.count)
    let nine = run.prefix(9)
    let value = nine.reduce(Int64(0)) { $0 *| 10 +| Int64($1 - 48) }
    return (nine.count..<9).reduce(value) { value, _ in value *| 10 }
  }

  /// Consumes `AM` or `PM`. Returns true for `PM`, and `nil` if neither follows.
  mutating func half() -> Bool? {
    // macOS writes a narrow no-break space before it.
    for blank in ["\u{202f}", "\u{a0}", " ", ""] where rest.starts(with: blank.utf8) {
      let letters = rest.dropFirst(blank.utf8.count).prefix(2).map { $0 | 0x20 }
      guard letters.count == 2, letters[1] == UInt8(ascii: "m"),
        letters[0] == UInt8(ascii: "a") || letters[0] == UInt8(ascii: "p")
      else { continue }
      rest = rest.dropFirst(blank.utf8.count + 2)
      return letters[0] == UInt8(ascii: "p")
    }
    return nil
  }

  /// Consumes `UTC` or `GMT` if it follows as a word.
  mutating func skipUTC() {
    for name in ["UTC", "GMT"] {
      for blank in ["", "-", "_", " "] where rest.starts(with: (blank + name).utf8) {
        let after = rest.dropFirst(blank.utf8.count + name.utf8.count)
        guard after.first.map({ (97...122).contains($0 | 0x20) }) != true else { continue }
        rest = after
        return
      }
    }
  }

  /// Consumes a zone and returns its offset ahead of UTC in seconds; 0 without a zone.
  mutating func zone() -> Int {
    guard let next = rest.first else { return 0 }
    if next | 0x20 == UInt8(ascii: "z") {
      rest = rest.dropFirst()
      return 0
    }
    guard next == UInt8(ascii: "+") || next == UInt8(ascii: "-") else { return 0 }
    var ahead = DateScanner(rest: rest.dropFirst())
    guard let hours = ahead.number(2) else { return 0 }
    ahead.skip(":.")
    guard let minutes = ahead.number(2), hours < 24, minutes < 60, !ahead.startsWithDigit
    else { return 0 }
    rest = ahead.rest
    return (hours * 60 + minutes) * (next == UInt8(ascii: "-") ? -60 : 60)
  }
}
