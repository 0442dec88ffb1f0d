internal import Foundation

/// What the benchmarks print, and the median that they print it of.
enum Report {
  /// Prints `value` as JSON.
  static func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// A line of a table: a title and right-aligned cells.
  static func line(_ title: String, _ cells: [String], titleWidth: Int, cellWidth: Int) -> String {
    let padded = cells.map { String(repeating: " ", count: max(0, cellWidth - $0.count)) + $0 }
    return title.padding(toLength: titleWidth, withPad: " ", startingAt: 0) + padded.joined()
  }

  /// The median of `times`, the upper one of two; 0 of none.
  static func median(_ times: [Double]) -> Double {
    times.isEmpty ? 0 : times.sorted()[times.count / 2]
  }
}
