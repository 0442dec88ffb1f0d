import ArgumentParser
import Foundation
import TesseraSystem

/// `tessera-bench plan`: how fast many files are planned, and how large the plan of a long call is.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Times planning a call of many files, and reading the plan of a long one.",
    discussion: """
      The files are made by ffmpeg, two seconds of pictures and sound each, and are planned without \
      a cache: with nobody's voice heard, and with all of them. The long call has nine people and \
      2,400 changes of its layout in an hour.
      """)

  /// What was measured; times are medians.
  struct Result: Encodable {
    var files: Int
    /// Packets of pictures and sound in all of them.
    var packets: Int
    /// Seconds that planning takes where nobody is heard.
    var seconds: Double
    /// The same in seconds of processors, which other programs do not lengthen.
    var processorSeconds: Double
    /// Seconds that planning takes where everyone is heard.
    var secondsHearing: Double
    /// The same in seconds of processors.
    var processorSecondsHearing: Double
    /// The most memory of the process while it did so, in bytes.
    var peakMemory: Int
    var hour: Hour

    var filesPerSecond: Double { Double(files) / seconds }
    var packetsPerSecond: Double { Double(packets) / seconds }
  }

  /// The plan of the long call.
  struct Hour: Encodable {
    /// The plan's size in bytes, without the files beside it.
    var bytes: Int
    /// The size of the files beside it, packet indexes and scenes.
    var sideBytes: Int
    /// Seconds that making it takes.
    var seconds: Double
    /// Seconds that reading it takes.
    var secondsReading: Double
    /// The same in seconds of processors, which other programs do not lengthen.
    var processorSecondsReading: Double
  }

  @Option(help: "How many files are planned.")
  var files = 1000

  @Option(help: "How often everything is timed; the median counts.")
  var rounds = 3

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard (1...1000).contains(files) else { throw ValidationError("--files takes 1 to 1000.") }
    guard (1...100).contains(rounds) else { throw ValidationError("--rounds takes 1 to 100.") }
  }

  func run() throws {
    ProcessMemory.returnFreedPictures()
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "tessera-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let bench = PlanBench(folder: folder, rounds: rounds)
    let paths = try bench.files(files)
    let (plan, unheard) = try bench.time { try bench.plan(paths, hears: false) }
    let (_, heard) = try bench.time { try bench.plan(paths, hears: true) }
    let result = Result(
      files: files, packets: PlanBench.packetCount(of: plan), seconds: unheard.wall,
      processorSeconds: unheard.processor, secondsHearing: heard.wall,
      processorSecondsHearing: heard.processor, peakMemory: PlanBench.peakMemory,
      hour: try bench.hour(people: 9, changes: 2400))
    if json { try Report.printJSON(result) } else { print(result.table) }
  }
}

extension PlanCommand.Result {
  var table: String {
    [
      Self.line("files", "\(files)"),
      Self.line("packets", "\(packets)"),
      Self.line("files a second", String(format: "%.0f", filesPerSecond)),
      Self.line("packets a second", String(format: "%.0f", packetsPerSecond)),
      Self.line("planned in", Self.times(seconds, processorSeconds)),
      Self.line("… everyone heard", Self.times(secondsHearing, processorSecondsHearing)),
      Self.line("most memory", String(format: "%.0f MB", Double(peakMemory) / 1e6)),
      Self.line("an hour's plan", String(format: "%.2f MB", Double(hour.bytes) / 1e6)),
      Self.line("… files beside it", String(format: "%.2f MB", Double(hour.sideBytes) / 1e6)),
      Self.line("… made in", String(format: "%.2f s", hour.seconds)),
      Self.line("… read in", Self.times(hour.secondsReading, hour.processorSecondsReading)),
    ].joined(separator: "\n")
  }

  private static func times(_ wall: Double, _ processor: Double) -> String {
    String(format: "%.3f s (%.3f s of processors)", wall, processor)
  }

  private static func line(_ title: String, _ cell: String) -> String {
    Report.line(title, [cell], titleWidth: 20, cellWidth: 34)
  }
}
