internal import Foundation

/// Output helpers of all benchmarks: JSON, table rows and the median.
enum BenchmarkOutput {
  /// Prints `value` as JSON with sorted keys.
  static func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Returns one table row: a left-aligned title and right-aligned cells.
  static func line(_ title: String, _ cells: [String], titleWidth: Int, cellWidth: Int) -> String {
    let padded = cells.map { String(repeating: " ", count: max(0, cellWidth - $0.count)) + $0 }
    return title.padding(toLength: titleWidth, withPad: " ", startingAt: 0) + padded.joined()
  }

  /// The median of `times`: the upper one of the two middle values, 0 if `times` is empty.
  static func median(_ times: [Double]) -> Double {
    times.isEmpty ? 0 : times.sorted()[times.count / 2]
  }
}
