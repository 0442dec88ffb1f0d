internal import ArgumentParser
internal import TesseraPixels

/// `tessera-bench kernels`: measures scaling, and other libraries too if the package is built with
/// the trait `Peers`.
struct KernelsBenchmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kernels", abstract: "Measure how long scaling one frame takes.")

  @Option(help: "The filter: bicubic, area, bilinear or lanczos.")
  var filter = "bicubic"
  @Option(help: "Runs of every case in a round; the median counts.")
  var runs = 41
  @Option(
    help: "Rounds in which all take their turns: least medians, and medians of the ratios.")
  var rounds = 3
  @Option(help: "Only the sizes whose name contains this, like 320x180.")
  var only: String?
  @Option(help: "Only the contenders whose name contains this, like avx512.")
  var contender: String?
  @Flag(help: "Compare odd sizes, crops and offsets with the listed size of the nearest ratio.")
  var random = false
  @Flag(help: "Write JSON.")
  var json = false

  mutating func validate() throws {
    guard ResampleFilter(rawValue: filter) != nil else {
      throw ValidationError(
        "There is no filter '\(filter)'; use bicubic, area, bilinear or lanczos.")
    }
    guard runs > 0, rounds > 0 else {
      throw ValidationError("--runs and --rounds must be 1 or more.")
    }
  }

  func run() throws {
    guard let filter = ResampleFilter(rawValue: filter) else { return }
    guard !random else { return try compareRandom(filter) }
    let results = measure(ScaleBenchmarkCase.listed.filter(isWanted), filter: filter)
    if json {
      try BenchmarkOutput.printJSON(results)
    } else {
      print(ScaleTimesTable(results).text)
    }
  }

  private func isWanted(_ scale: ScaleBenchmarkCase) -> Bool {
    only.map(scale.name.contains) ?? true
  }

  private func compareRandom(_ filter: ResampleFilter) throws {
    let comparison = OddSizeBenchmark(
      ScaleBenchmarkCase.random(20).filter(isWanted), listed: ScaleBenchmarkCase.listed,
      filter: filter
    ) { ours($0, filter: filter) }
    guard json else { return print(comparison.text) }
    try BenchmarkOutput.printJSON(comparison.rows)
  }

  /// The median time of the detected level's kernels, in microseconds.
  private func ours(_ scale: ScaleBenchmarkCase, filter: ResampleFilter) -> Double {
    let frames = ScaleBenchmarkFrames(size: scale.source)
    return median(KernelScaler(scale, frames: frames, filter: filter, level: .detected))
  }

  /// Measures the contenders one after the other, so that each finds only its own data in the
  /// caches. Several rounds through all cases spread interference from other processes over all
  /// contenders.
  private func measure(_ cases: [ScaleBenchmarkCase], filter: ResampleFilter) -> [ScaleTimes] {
    let sides = cases.map {
      contenders($0, frames: ScaleBenchmarkFrames(size: $0.source), filter: filter)
    }
    let times = (0..<rounds).map { _ in sides.map { $0.map(median) } }
    return cases.indices.map { index in
      ScaleTimes(
        scale: cases[index].name,
        contenders: sides[index].enumerated().map { place, contender in
          ScaleTimes.Contender(
            name: contender.name, medians: times.map { $0[index][place] })
        })
    }
  }

  private func contenders(
    _ scale: ScaleBenchmarkCase, frames: ScaleBenchmarkFrames, filter: ResampleFilter
  ) -> [any BenchmarkScaler] {
    var all: [any BenchmarkScaler] = [MemoryCopyBaseline(scale, frames: frames)]
    all += PixelKernels.InstructionSet.available.map {
      KernelScaler(scale, frames: frames, filter: filter, level: $0)
    }
    #if Peers
      all += ThirdPartyScaler.all(scale, frames: frames, filter: filter)
    #endif
    return all.filter { contender.map($0.name.contains) ?? true }
  }

  /// The median time of ``runs`` runs, in microseconds.
  private func median(_ contender: any BenchmarkScaler) -> Double {
    let clock = ContinuousClock()
    let times = (0..<runs).map { run in
      clock.measure { contender.run(frame: run % ScaleBenchmarkFrames.count) } / .microseconds(1)
    }
    return BenchmarkOutput.median(times)
  }
}
