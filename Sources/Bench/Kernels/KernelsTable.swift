internal import Foundation

/// The times of all contenders for one case.
struct ScaleTimes: Encodable {
  struct Contender: Encodable {
    var name: String
    /// The lowest median of all rounds.
    var microseconds: Double
    /// The median of each round, in microseconds.
    var medians: [Double]

    init(name: String, medians: [Double]) {
      self.name = name
      self.microseconds = medians.min() ?? 0
      self.medians = medians
    }
  }

  var scale: String
  var contenders: [Contender]

  /// The speed of contender `name` as a multiple of the speed of `other`; `nil` if one of them is
  /// missing. The median over all rounds, because interference within a round affects both.
  func ratio(_ name: String, to other: String) -> Double? {
    guard let mine = contenders.first(where: { $0.name == name }),
      let theirs = contenders.first(where: { $0.name == other })
    else { return nil }
    return BenchmarkOutput.median(zip(theirs.medians, mine.medians).map { $0 / $1 })
  }
}

/// Renders results as a table for the terminal: the lowest medians in microseconds, then the speed
/// of Tessera's kernels as a multiple of each contender's. The multiples are medians over rounds,
/// not quotients of the times above.
struct ScaleTimesTable {
  private let results: [ScaleTimes]

  init(_ results: [ScaleTimes]) {
    self.results = results
  }

  var text: String {
    let names = results.first?.contenders.map(\.name) ?? []
    let header = Self.line("microseconds", names)
    let rows = results.map { result in
      Self.line(result.scale, result.contenders.map { String(format: "%.1f", $0.microseconds) })
    }
    let ratios = names.filter { $0.hasPrefix("tessera") }.map { ours in
      Self.line("geomean of \(ours)", names.map { String(format: "%.2fx", ratio(ours, to: $0)) })
    }
    return ([header] + rows + ratios).joined(separator: "\n")
  }

  /// The geometric mean over all cases of the speed of `ours` as a multiple of the speed of
  /// `other`.
  private func ratio(_ ours: String, to other: String) -> Double {
    let logarithms = results.compactMap { $0.ratio(ours, to: other).map { log($0) } }
    return exp(logarithms.reduce(0, +) / Double(max(1, logarithms.count)))
  }

  private static func line(_ title: String, _ cells: [String]) -> String {
    BenchmarkOutput.line(title, cells, titleWidth: 29, cellWidth: 20)
  }
}
