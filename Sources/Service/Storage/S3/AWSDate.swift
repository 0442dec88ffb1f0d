import Glibc

/// Conversions of times in AWS's formats.
enum AWSDate {
  /// The current time in seconds since 1970.
  static var now: Int { time(nil) }

  /// Formats a time in seconds since 1970 as `20130524T000000Z`.
  static func basic(_ seconds: Int) -> String {
    var seconds = time_t(seconds)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    func digits(_ value: CInt) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let day = unsafe (parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
    let clock = unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec)
    return "\(day.0)\(digits(day.1))\(digits(day.2))T"
      + "\(digits(clock.0))\(digits(clock.1))\(digits(clock.2))Z"
  }

  /// Parses `2013-05-24T00:00:00Z`, with or without fractional seconds, to seconds since 1970.
  /// Returns `nil` for another form.
  static func seconds(_ text: String) -> Int? {
    let numbers = text.prefix(19).split(whereSeparator: { "-T:".contains($0) }).map { Int32($0) }
    let values = numbers.compactMap { $0 }
    guard numbers.count == 6, values.count == 6, text.hasSuffix("Z") || text.hasSuffix("+00:00")
    else { return nil }
    var parts = unsafe tm()
    unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
      values[0] - 1900, values[1] - 1, values[2]
    )
    unsafe (parts.tm_hour, parts.tm_min, parts.tm_sec) = (values[3], values[4], values[5])
    return unsafe timegm(&parts)
  }
}
