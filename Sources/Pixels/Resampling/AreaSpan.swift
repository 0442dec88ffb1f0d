/// Where the samples that `area` makes a result of lie along one axis: windows side by side, each
/// as wide as the step from one result to the next.
struct AreaSpan {
  /// The first sample of the first window.
  let first: Int
  /// The part of that sample before the window, 0..<8, in 1/8.
  let fraction: Int
  /// How wide windows are, in 1/8 of a sample.
  let step: Int

  /// The span of this mapping; nil where its windows do not begin and end at eighths of a sample.
  init?(_ mapping: AxisMapping) {
    let start = (mapping.origin + 0.5 - mapping.step / 2) * 8
    guard Self.isWhole(mapping.step * 8), Self.isWhole(start) else { return nil }
    step = Int((mapping.step * 8).rounded())
    let eighths = Int(start.rounded())
    first = eighths >> 3
    fraction = eighths & 7
  }

  private static func isWhole(_ value: Double) -> Bool {
    abs(value) < 1e6 && abs(value - value.rounded()) < 1e-6
  }

  /// What `samples` samples from the first one on weigh in each of the first `results` windows, in
  /// units as coarse as possible.
  func weights(results: Int, samples: Int) -> [[UInt8]] {
    let eighths = (0..<results).map { result in
      let start = fraction + result * step
      return (0..<samples).map { max(0, min(start + step, 8 * $0 + 8) - max(start, 8 * $0)) }
    }
    let unit = eighths.joined().reduce(0, Self.greatestCommonDivisor)
    return eighths.map { $0.map { UInt8($0 / max(unit, 1)) } }
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
  }
}
