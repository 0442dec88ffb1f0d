/// Rows of consecutive segments that one worker makes, so that its decoders go on from one to the
/// next: chosen when executing, from the processors and what decoding for nothing costs. How they
/// are chosen cannot change a byte.
package enum Runs {
  /// What making a segment costs.
  package struct Cost: Hashable, Sendable, Codable {
    /// Making it after the one before, in any unit.
    package var work: Double
    /// What is decoded for nothing where a run begins with it.
    package var preroll: Double

    /// What making it costs, and beginning with it.
    package init(work: Double, preroll: Double) { (self.work, self.preroll) = (work, preroll) }
  }

  /// Rows of the segments in `missing`, ascending, for that many workers, who also have jobs that cost `others`; the
  /// longest first.
  package static func choose(
    _ missing: [Int], costs: [Cost], workers: Int, besides others: [Double] = []
  ) -> [Range<Int>] {
    let rows = Self.rows(missing)
    guard workers > 1 else { return rows }
    let total = missing.reduce(0) { $0 + costs[$1].work }
    var best: (runs: [Range<Int>], span: Double)?
    // Few long runs decode little for nothing, many short ones share the work evenly.
    for share in [8, 4, 2, 1] {
      let target = total / Double(workers * share)
      let runs = rows.flatMap { split($0, costs: costs, target: target) }
      let prices = runs.map { price($0, costs) }
      let span = makespan(others + prices, workers: workers) + 0.002 * prices.reduce(0, +)
      if best.map({ span < $0.span }) ?? true {
        let order = runs.indices.sorted { (-prices[$0], $0) < (-prices[$1], $1) }
        best = (order.map { runs[$0] }, span)
      }
    }
    return best?.runs ?? rows
  }

  /// What a run costs.
  static func price(_ run: Range<Int>, _ costs: [Cost]) -> Double {
    costs[run.lowerBound].preroll + run.reduce(0) { $0 + costs[$1].work }
  }

  /// How long workers take that each go for the next of the jobs as soon as they are free.
  static func makespan(_ prices: [Double], workers: Int) -> Double {
    var free = [Double](repeating: 0, count: max(1, workers))
    for price in prices.sorted(by: >) {
      let first = free.indices.min { free[$0] < free[$1] } ?? 0
      free[first] += price
    }
    return free.max() ?? 0
  }

  /// The rows in which `numbers`, ascending, follow each other.
  package static func rows(_ numbers: [Int]) -> [Range<Int>] {
    var rows: [Range<Int>] = []
    for number in numbers {
      if let last = rows.last, last.upperBound == number {
        rows[rows.count - 1] = last.lowerBound..<(number + 1)
      } else {
        rows.append(number..<(number + 1))
      }
    }
    return rows
  }

  private static func split(_ row: Range<Int>, costs: [Cost], target: Double) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var (start, sum) = (row.lowerBound, 0.0)
    for number in row {
      sum += costs[number].work
      guard sum >= target || number == row.upperBound - 1 else { continue }
      runs.append(start..<(number + 1))
      (start, sum) = (number + 1, 0)
    }
    return runs
  }
}
