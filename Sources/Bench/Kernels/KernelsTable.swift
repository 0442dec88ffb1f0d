internal import Foundation

/// The times of one case.
struct ScaleResult: Encodable {
  struct Contender: Encodable {
    var name: String
    /// The least of the medians.
    var microseconds: Double
    /// The median of every round, in microseconds.
    var medians: [Double]

    init(name: String, medians: [Double]) {
      self.name = name
      self.microseconds = medians.min() ?? 0
      self.medians = medians
    }
  }

  var scale: String
  var contenders: [Contender]

  /// How often one contender is as fast as the other, the median of all rounds: what else the
  /// machine does for a while falls on both. Nil where one of them is missing.
  func ratio(_ name: String, to other: String) -> Double? {
    guard let mine = contenders.first(where: { $0.name == name }),
      let theirs = contenders.first(where: { $0.name == other })
    else { return nil }
    return Report.median(zip(theirs.medians, mine.medians).map { $0 / $1 })
  }
}

/// Results as a table for people: the least microseconds, then our speed as a multiple of the
/// others', which is not that of these but the median of the rounds'.
struct ScaleTable {
  private let results: [ScaleResult]

  init(_ results: [ScaleResult]) {
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

  /// The geometric mean of how often `ours` is as fast as `other`.
  private func ratio(_ ours: String, to other: String) -> Double {
    let logarithms = results.compactMap { $0.ratio(ours, to: other).map { log($0) } }
    return exp(logarithms.reduce(0, +) / Double(max(1, logarithms.count)))
  }

  private static func line(_ title: String, _ cells: [String]) -> String {
    Report.line(title, cells, titleWidth: 29, cellWidth: 20)
  }
}
