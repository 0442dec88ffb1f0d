internal import ArgumentParser
internal import Compositor
internal import Foundation
internal import Pixels

/// Measures whole canvases.
struct ComposeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compose",
    abstract: "Measure how long composing one 1920x1080 frame of 1280x720 pictures takes.")

  /// What one case took.
  struct Result: Encodable {
    var name: String
    /// The median time of a frame.
    var microseconds: Double
    /// The median time of scaling alone what changes.
    var kernelMicroseconds: Double
    var lumaPixels: Int
    var chromaPixels: Int
  }

  @Option(help: "The instruction set level: c, avx2, avx512; the best one if not given.")
  var cpu = Kernels.Level.detected.rawValue
  @Option(help: "Runs of every case; the median counts.")
  var runs = 41
  @Option(help: "Only the case of this name, like '9 decorated'.")
  var only: String?
  @Flag(help: "Write JSON.")
  var json = false

  mutating func validate() throws {
    guard Kernels.Level(rawValue: cpu).map(Kernels.Level.available.contains) == true else {
      let names = Kernels.Level.available.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("This machine has no level '\(cpu)'; use one of \(names).")
    }
    guard runs > 0 else { throw ValidationError("--runs must be 1 or more.") }
  }

  func run() throws {
    let kernels = Kernels(level: Kernels.Level(rawValue: cpu) ?? .detected)
    let pictures = ScaleFrames(size: ComposeCase.source).pictures
    let cases = ComposeCase.listed.filter { only == nil || $0.name == only }
    let results = cases.map { measure($0, pictures, kernels) }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(results), as: UTF8.self))
    } else {
      print(Self.line("", ["frame µs", "kernels µs", "ratio", "luma", "chroma"]))
      for result in results { print(Self.line(result.name, Self.cells(result))) }
    }
  }

  /// Measures composing and its kernels in alternation.
  private func measure(_ item: ComposeCase, _ pictures: [Picture], _ kernels: Kernels) -> Result {
    var bench = ComposeBench(item, pictures: pictures, kernels: kernels)
    var alone = ComposeKernels(item, pictures: pictures, kernels: kernels)
    var times: (frame: [Double], kernels: [Double]) = ([], [])
    let clock = ContinuousClock()
    for _ in 0..<runs {
      times.frame.append(clock.measure { bench.step() } / .microseconds(1))
      times.kernels.append(clock.measure { alone.step() } / .microseconds(1))
    }
    let statistics = bench.step()
    return Result(
      name: item.name, microseconds: times.frame.sorted()[runs / 2],
      kernelMicroseconds: times.kernels.sorted()[runs / 2],
      lumaPixels: statistics.lumaPixels, chromaPixels: statistics.chromaPixels)
  }

  private static func cells(_ result: Result) -> [String] {
    let ratio = result.microseconds / result.kernelMicroseconds
    return [
      String(format: "%.1f", result.microseconds),
      String(format: "%.1f", result.kernelMicroseconds),
      result.kernelMicroseconds < 1 ? "-" : String(format: "%.2f", ratio),
      String(result.lumaPixels), String(result.chromaPixels),
    ]
  }

  private static func line(_ title: String, _ cells: [String]) -> String {
    let padded = cells.map { String(repeating: " ", count: max(0, 12 - $0.count)) + $0 }
    return title.padding(toLength: 16, withPad: " ", startingAt: 0) + padded.joined()
  }
}
