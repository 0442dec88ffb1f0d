internal import ArgumentParser
internal import Foundation
internal import TesseraLayout

/// Measures the placing of many people.
struct LayoutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layout",
    abstract: "Measure how long a layout of 25 and of 100 people takes for a frame.")

  /// What one policy took.
  struct Result: Encodable {
    var name: String
    var count: Int
    /// The median time of preparing the layout and of asking what is seen on the canvas.
    var microseconds: Double
    /// The median time in which an engine does that, seats and rounding included.
    var engineMicroseconds: Double
  }

  @Option(help: "Runs of every case; the median counts.")
  var runs = 1001
  @Flag(help: "Write JSON.")
  var json = false

  mutating func validate() throws {
    guard runs > 0 else { throw ValidationError("--runs must be 1 or more.") }
  }

  func run() throws {
    let results = try LayoutCase.listed().flatMap { item in
      try LayoutCase.counts.map { try measure(item, count: $0) }
    }
    if json {
      try Report.printJSON(results)
    } else {
      print(Self.line("", ["people", "policy µs", "engine µs"]))
      for result in results {
        let times = [result.microseconds, result.engineMicroseconds]
        print(
          Self.line(result.name, ["\(result.count)"] + times.map { String(format: "%.1f", $0) }))
      }
    }
  }

  private func measure(_ item: LayoutCase, count: Int) throws -> Result {
    var bench = try LayoutBench(item, count: count)
    var times: (policy: [Double], engine: [Double]) = ([], [])
    let clock = ContinuousClock()
    for _ in 0..<runs {
      times.policy.append(clock.measure { bench.prepare() } / .microseconds(1))
      times.engine.append(clock.measure { bench.place() } / .microseconds(1))
    }
    return Result(
      name: item.name, count: count, microseconds: Report.median(times.policy),
      engineMicroseconds: Report.median(times.engine))
  }

  private static func line(_ title: String, _ cells: [String]) -> String {
    Report.line(title, cells, titleWidth: 26, cellWidth: 12)
  }
}
