internal import ArgumentParser
internal import Foundation
internal import TesseraCompositor
internal import TesseraPixels

/// `tessera-bench compose`: measures the composition of whole canvases.
struct ComposeBenchmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compose",
    abstract: "Measure how long composing one 1920x1080 frame of 1280x720 pictures takes.")

  /// The measurements of one case.
  struct Result: Encodable {
    var name: String
    /// The instruction set level of the kernels.
    var level: String
    /// The median time of one frame.
    var microseconds: Double
    /// The median time of resampling the changing tiles, without the compositor.
    var kernelMicroseconds: Double
    /// The median time of one frame with equally many plain tiles.
    var plainMicroseconds: Double
    var lumaPixels: Int
    var chromaPixels: Int
  }

  @Option(
    help: "The instruction set level: c, avx2, avx512vnni, avx512; the best one if not given.")
  var cpu = PixelKernels.InstructionSet.detected.rawValue
  @Option(help: "Runs of every case; the median counts.")
  var runs = 41
  @Option(help: "Only the case of this name, like '9 decorated'.")
  var only: String?
  @Flag(help: "Compose, and measure nothing beside it.")
  var alone = false
  @Flag(help: "Write JSON.")
  var json = false

  mutating func validate() throws {
    guard PixelKernels.InstructionSet(rawValue: cpu)?.substitute != nil else {
      let names = PixelKernels.InstructionSet.available.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("This machine has no level '\(cpu)'; use one of \(names).")
    }
    guard runs > 0 else { throw ValidationError("--runs must be 1 or more.") }
  }

  func run() throws {
    let kernels = PixelKernels(
      level: PixelKernels.InstructionSet(rawValue: cpu)?.substitute ?? .detected)
    let pictures = ScaleBenchmarkFrames(size: ComposeBenchmarkCase.source).pictures
    let portraits = ScaleBenchmarkFrames(size: ComposeBenchmarkCase.source.transposed).pictures
    let older = ScaleBenchmarkFrames(
      size: ComposeBenchmarkCase.source, color: ColorSpace(matrix: .bt601, range: .limited)
    ).pictures
    let cases = ComposeBenchmarkCase.listed.filter { only == nil || $0.name == only }
    let results = cases.map { item in
      let same = item.source == ComposeBenchmarkCase.source ? pictures : portraits
      return measure(item, item.style == .older ? older : same, plain: same, kernels)
    }
    if json {
      try BenchmarkOutput.printJSON(results)
    } else {
      print("level \(kernels.level.rawValue)")
      print(Self.line("", ["frame µs", "/ kernels", "/ plain", "luma", "chroma"]))
      for result in results { print(Self.line(result.name, Self.cells(result))) }
    }
  }

  /// Measures the composition, its resampling kernels and plain tiles in alternation.
  private func measure(
    _ item: ComposeBenchmarkCase, _ pictures: [Picture], plain plainPictures: [Picture],
    _ kernels: PixelKernels
  ) -> Result {
    var bench = ComposeBenchmark(item, pictures: pictures, kernels: kernels)
    var scaling = ResamplingBenchmark(item, pictures: pictures, kernels: kernels)
    var plain = ComposeBenchmark(item.plain, pictures: plainPictures, kernels: kernels)
    var times = [[Double]](repeating: [], count: 3)
    let clock = ContinuousClock()
    for _ in 0..<runs {
      times[0].append(clock.measure { bench.step() } / .microseconds(1))
      guard !alone else { continue }
      times[1].append(clock.measure { scaling.step() } / .microseconds(1))
      times[2].append(clock.measure { plain.step() } / .microseconds(1))
    }
    let statistics = bench.step()
    let medians = times.map(BenchmarkOutput.median)
    return Result(
      name: item.name, level: kernels.level.rawValue, microseconds: medians[0],
      kernelMicroseconds: medians[1], plainMicroseconds: medians[2],
      lumaPixels: statistics.lumaPixels, chromaPixels: statistics.chromaPixels)
  }

  private static func cells(_ result: Result) -> [String] {
    func times(_ other: Double) -> String {
      other < 1 ? "-" : String(format: "%.2f", result.microseconds / other)
    }
    return [
      String(format: "%.1f", result.microseconds), times(result.kernelMicroseconds),
      times(result.plainMicroseconds), String(result.lumaPixels), String(result.chromaPixels),
    ]
  }

  private static func line(_ title: String, _ cells: [String]) -> String {
    BenchmarkOutput.line(title, cells, titleWidth: 16, cellWidth: 12)
  }
}
