internal import ArgumentParser
internal import Foundation
internal import Glibc

/// Measures the mixing of many voices.
struct SoundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sound",
    abstract: "Measure how long nine voices of an hour take to level and mix on one core.",
    discussion: "Decoding and encoding are not in it.")

  /// What one part of the work took.
  struct Result: Encodable {
    var name: String
    var seconds: Double
    /// Seconds of the mix for each second of work.
    var timesRealTime: Double
  }

  @Option(help: "Voices.")
  var voices = 9
  @Option(help: "Seconds of the mix.")
  var seconds = 3600
  @Flag(help: "Write JSON.")
  var json = false

  mutating func validate() throws {
    guard (1...100).contains(voices), (10...36_000).contains(seconds) else {
      throw ValidationError("--voices must be 1 to 100, --seconds 10 to 36000.")
    }
  }

  func run() throws {
    let bench = SoundBench(voices: voices)
    var results: [Result] = []
    func measure(_ name: String, _ work: () -> Void) {
      // Processor time, so that other work on the machine does not count.
      let start = clock()
      work()
      let time = Double(clock() - start) / 1e6
      results.append(
        Result(name: name, seconds: time, timesRealTime: Double(seconds) / time))
    }
    measure("mix, as it is") { bench.mix(seconds: seconds, curves: nil) }
    measure("analysis") { bench.analyze(seconds: seconds) }
    measure("leveling") { bench.level(seconds: seconds) }
    measure("mix, leveled") { bench.mix(seconds: seconds, curves: bench.curves) }
    let all = results.dropFirst().reduce(0) { $0 + $1.seconds }
    results.append(
      Result(
        name: "all with leveling", seconds: all, timesRealTime: Double(seconds) / all))
    if json { return try Report.printJSON(results) }
    print(Self.line("", ["seconds", "x real time"]))
    for result in results {
      let cells = [result.seconds, result.timesRealTime].map { String(format: "%.1f", $0) }
      print(Self.line(result.name, cells))
    }
  }

  private static func line(_ title: String, _ cells: [String]) -> String {
    Report.line(title, cells, titleWidth: 26, cellWidth: 14)
  }
}
