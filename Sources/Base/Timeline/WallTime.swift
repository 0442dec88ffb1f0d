/// Wall-clock times as text: ISO 8601, and as file names write them.
package enum WallTime {
  /// The time since 1970 that `text` says, which is an ISO 8601 date and time and nothing else; in
  /// UTC where it names no zone.
  package static func parse(_ text: String) -> MediaTime? {
    let bytes = Array(text.utf8)
    guard let (count, time, _) = scan(bytes[...]), count == bytes.count else { return nil }
    return time
  }

  /// The time in ISO 8601, in UTC, to a millisecond or as far as it goes.
  package static func text(_ time: MediaTime) -> String {
    let (seconds, rest) = floorDivide(time.nanoseconds, 1_000_000_000)
    let (days, second) = floorDivide(seconds, 86400)
    let (year, month, day) = civil(days)
    var decimals = padded(rest, 9)
    while decimals.utf8.count > 3, decimals.hasSuffix("0") { decimals.removeLast() }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(second / 3600, 2)):"
      + "\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2)).\(decimals)Z"
  }

  /// The date and time with which `bytes` begin, and how many bytes it takes:
  /// `2025-10-09T08:53:20Z` with its separators or without, and with a fraction, a `Z` or an offset
  /// where there is one. One of `words` may stand before the time of day, which then may be as
  /// people write it: `2025-10-09 at 8.53.20 AM`. `isLoose` accepts times without seconds, years of
  /// two digits in `251009_085320`, dates whose year comes last, with months in words, too
  /// (`09 October 2025`, `09-Oct-25`), and `UTC` or `GMT` at the end.
  package static func scan(
    _ bytes: ArraySlice<UInt8>, before words: [String] = [], isLoose: Bool = false
  ) -> (count: Int, time: MediaTime, hasSeconds: Bool)? {
    guard
      let (length, midnight) = day(bytes)
        ?? (isLoose ? mixedDay(bytes) ?? shortDay(bytes) : nil)
    else { return nil }
    var scanner = Scanner(rest: bytes.dropFirst(length))
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

  /// The date with which `bytes` begin, as its first moment, and how many bytes it takes.
  package static func day(_ bytes: ArraySlice<UInt8>) -> (count: Int, time: MediaTime)? {
    var scanner = Scanner(rest: bytes)
    guard let year = scanner.number(4), (1970...2090).contains(year) else { return nil }
    scanner.skip("-_.")
    guard let month = scanner.number(2), (1...12).contains(month) else { return nil }
    scanner.skip("-_.")
    guard let day = scanner.number(2), (1...31).contains(day) else { return nil }
    return (
      bytes.count - scanner.rest.count, MediaTime(seconds: days(year, month, day) * 86400)
    )
  }

  /// The date with which `bytes` begin, whose year comes last: a day and a month in words, or numbers,
  /// the month first unless that cannot be.
  private static func mixedDay(_ bytes: ArraySlice<UInt8>) -> (count: Int, time: MediaTime)? {
    var scanner = Scanner(rest: bytes)
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
    // Two digits of a year are none of a day beside a month in words.
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

  /// The date with which `bytes` begin, of six or eight digits in any order, before a time of six: a
  /// year of two digits comes first if it can be one, and a month before a day.
  private static func shortDay(_ bytes: ArraySlice<UInt8>) -> (count: Int, time: MediaTime)? {
    let count = bytes.prefix { (48...57).contains($0) }.count
    var time = Scanner(rest: bytes.dropFirst(count))
    time.skip("_-T")
    guard count == 6 || count == 8, time.rest.count + count < bytes.count, time.number(6) != nil,
      !time.startsWithDigit
    else { return nil }
    var scanner = Scanner(rest: bytes)
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

  /// The days from 1970 to a date of the Gregorian calendar (Hinnant, "chrono-Compatible Low-Level
  /// Date Algorithms").
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719468
  }

  /// The date that many days after 1970 (the same source).
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

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient -| 1, rest +| divisor) : (quotient, rest)
  }

  private static func padded(_ value: Int64, _ count: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}

/// Takes the parts of a date from text.
private struct Scanner {
  var rest: ArraySlice<UInt8>

  var startsWithDigit: Bool { rest.first.map { (48...57).contains($0) } ?? false }

  mutating func number(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// Passes over one of `letters`, where one comes.
  mutating func skip(_ letters: StaticString) {
    if let next = rest.first, "\(letters)".utf8.contains(next) { rest = rest.dropFirst() }
  }

  /// The nanoseconds after the second: any digits after a point or comma, else three or six.
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

  /// Passes over `AM` or `PM`, where it comes: whether it is the second half of the day.
  mutating func half() -> Bool? {
    // macOS writes a narrow blank before it.
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

  /// Passes over `UTC` or `GMT`, where it comes as a word.
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

  /// The seconds by which the zone is ahead of UTC; 0 where none is named.
  mutating func zone() -> Int {
    guard let next = rest.first else { return 0 }
    if next | 0x20 == UInt8(ascii: "z") {
      rest = rest.dropFirst()
      return 0
    }
    guard next == UInt8(ascii: "+") || next == UInt8(ascii: "-") else { return 0 }
    var ahead = Scanner(rest: rest.dropFirst())
    guard let hours = ahead.number(2) else { return 0 }
    ahead.skip(":.")
    guard let minutes = ahead.number(2), hours < 24, minutes < 60, !ahead.startsWithDigit
    else { return 0 }
    rest = ahead.rest
    return (hours * 60 + minutes) * (next == UInt8(ascii: "-") ? -60 : 60)
  }
}
