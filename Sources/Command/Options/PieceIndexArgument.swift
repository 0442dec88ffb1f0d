import ArgumentParser
import TesseraJobs
import TesseraSystem

/// The value of `--index`: a number (`3`), a closed range (`3-7`) or `auto` for the scheduler's
/// array task number.
enum PieceIndexArgument: ExpressibleByArgument, Equatable {
  case numbers(Range<Int>)
  case automatic

  init?(argument: String) {
    guard argument != "auto" else {
      self = .automatic
      return
    }
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(parts.count), let first = parts[0], let last = parts[parts.count - 1],
      first >= 0, last >= first, last < 1 << 30
    else { return nil }
    self = .numbers(first..<(last + 1))
  }

  /// Returns the selected numbers; `auto` reads the scheduler's variables in `environment`.
  ///
  /// - Throws: ``RenderError`` if `auto` is given and no scheduler sets a task number.
  func range(_ environment: [String: String]) throws(RenderError) -> Range<Int> {
    switch self {
    case .numbers(let range): return range
    case .automatic:
      let number = try JobArrayIndex.automatic(environment)
      return number..<(number + 1)
    }
  }
}
