/// Divides consecutive segments into runs. One worker renders a run, so that its decoders continue
/// from segment to segment.
///
/// Runs are chosen at execution time, from the number of workers and the cost of pre-roll. The
/// choice never changes a byte of the output.
package enum SegmentRunPlanner {
  /// The estimated cost of a segment.
  package struct Cost: Hashable, Sendable, Codable {
    /// The cost of the segment if the same run made the one before it, in any unit.
    package var work: Double
    /// The additional cost if a run starts with the segment: decoding that is not shown.
    package var preroll: Double

    package init(work: Double, preroll: Double) { (self.work, self.preroll) = (work, preroll) }
  }

  /// Divides the segments `missing`, ascending, into runs for `workers`, the most expensive run
  /// first. The workers also have other jobs, which cost `others`.
  package static func choose(
    _ missing: [Int], costs: [Cost], workers: Int, besides others: [Double] = []
  ) -> [Range<Int>] {
    let rows = Self.rows(missing)
    guard workers > 1 else { return rows }
    let total = missing.reduce(0) { $0 + costs[$1].work }
    var best: (runs: [Range<Int>], span: Double)?
    // Few long runs need little pre-roll; many short runs divide the work evenly.
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

  /// Returns the cost of a run, pre-roll included.
  static func price(_ run: Range<Int>, _ costs: [Cost]) -> Double {
    costs[run.lowerBound].preroll + run.reduce(0) { $0 + costs[$1].work }
  }

  /// Returns the time that `workers` need for jobs of these costs if each takes the next job as
  /// soon as it is free.
  static func makespan(_ prices: [Double], workers: Int) -> Double {
    var free = [Double](repeating: 0, count: max(1, workers))
    for price in prices.sorted(by: >) {
      let first = free.indices.min { free[$0] < free[$1] } ?? 0
      free[first] += price
    }
    return free.max() ?? 0
  }

  /// Groups `numbers`, ascending, into ranges of consecutive numbers.
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
