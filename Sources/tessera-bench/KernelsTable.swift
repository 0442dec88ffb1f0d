internal import Foundation

/// The medians of one case.
struct ScaleResult: Encodable {
  struct Median: Encodable {
    var name: String
    var microseconds: Double
  }

  var scale: String
  var microseconds: [Median]
}

/// Results as a table for people: microseconds, then our speed as a multiple of the others'.
struct ScaleTable {
  private let results: [ScaleResult]

  init(_ results: [ScaleResult]) {
    self.results = results
  }

  var text: String {
    let names = results.first?.microseconds.map(\.name) ?? []
    let header = Self.line("microseconds", names)
    let rows = results.map { result in
      Self.line(result.scale, result.microseconds.map { String(format: "%.1f", $0.microseconds) })
    }
    let ratios = names.filter { $0.hasPrefix("tessera") }.map { ours in
      Self.line("geomean of \(ours)", names.map { String(format: "%.2fx", ratio(ours, to: $0)) })
    }
    return ([header] + rows + ratios).joined(separator: "\n")
  }

  /// The geometric mean of how often `ours` is as fast as `other`.
  private func ratio(_ ours: String, to other: String) -> Double {
    let logarithms = results.compactMap { result -> Double? in
      let times = Dictionary(
        uniqueKeysWithValues: result.microseconds.map { ($0.name, $0.microseconds) })
      guard let mine = times[ours], let theirs = times[other] else { return nil }
      return log(theirs / mine)
    }
    return exp(logarithms.reduce(0, +) / Double(max(1, logarithms.count)))
  }

  private static func line(_ title: String, _ cells: [String]) -> String {
    Report.line(title, cells, titleWidth: 26, cellWidth: 15)
  }
}
