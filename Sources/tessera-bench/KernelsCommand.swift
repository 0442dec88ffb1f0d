internal import ArgumentParser
internal import Foundation
internal import Pixels

/// Measures scaling, beside other libraries where the package is built with the trait `Peers`.
struct KernelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kernels", abstract: "Measure how long scaling one frame takes.")

  @Option(help: "The filter: bicubic, area, bilinear or lanczos.")
  var filter = "bicubic"
  @Option(help: "Runs of every case; the median counts.")
  var runs = 41
  @Flag(help: "Write JSON.")
  var json = false

  mutating func validate() throws {
    guard ResampleFilter(rawValue: filter) != nil else {
      throw ValidationError(
        "There is no filter '\(filter)'; use bicubic, area, bilinear or lanczos.")
    }
    guard runs > 0 else { throw ValidationError("--runs must be 1 or more.") }
  }

  func run() throws {
    guard let filter = ResampleFilter(rawValue: filter) else { return }
    let results = ScaleCase.listed.map { measure($0, filter: filter) }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(results), as: UTF8.self))
    } else {
      print(ScaleTable(results).text)
    }
  }

  /// Measures all contenders in alternation.
  private func measure(_ scale: ScaleCase, filter: ResampleFilter) -> ScaleResult {
    let frames = ScaleFrames(size: scale.source)
    var contenders: [any ScaleContender] = [MemoryFloor(scale, frames: frames)]
    for level in Kernels.Level.available {
      contenders.append(OurScaler(scale, frames: frames, filter: filter, level: level))
    }
    #if Peers
      contenders += PeerScaler.all(scale, frames: frames, filter: filter)
    #endif
    var times = [[Double]](repeating: [], count: contenders.count)
    let clock = ContinuousClock()
    for run in 0..<runs {
      for (index, contender) in contenders.enumerated() {
        let duration = clock.measure { contender.run(frame: run % ScaleFrames.count) }
        times[index].append(duration / .microseconds(1))
      }
    }
    return ScaleResult(
      scale: scale.name,
      microseconds: zip(contenders, times).map { contender, times in
        ScaleResult.Median(name: contender.name, microseconds: times.sorted()[times.count / 2])
      })
  }
}
