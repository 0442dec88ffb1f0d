internal import CPixelKernels

/// The weights of the vertical pass: every result row is a sum over consecutive pairs of source
/// rows.
@safe final class VerticalAxis: @unchecked Sendable {
  /// What one result row is made from.
  struct Row: Hashable, Sendable {
    /// The first pair of source rows.
    var firstPair: Int
    /// The number of pairs.
    var pairCount: Int
    /// The index in ``VerticalAxis/weights`` of the first pair's two weights.
    var offset: Int
    /// Where in the ring of pairs the first one lies. Rows 2i and 2i + 1 count on from the same
    /// turn of the ring, so that they share their pointers to the pairs.
    var slot: Int
    /// The first pair that this or any later row needs.
    var oldestPair: Int

    /// The pair behind the last one.
    var endPair: Int { firstPair + pairCount }
  }

  /// The result rows.
  let rows: UnsafeMutablePointer<Row>
  /// Two negated weights in 1/16384 for every pair of every row.
  let weights: UnsafeMutablePointer<Int16>
  /// The number of source rows.
  let sourceCount: Int
  /// Whether row 0 of the source is its last one in memory.
  let mirrored: Bool
  /// Pair p holds source rows 2p - parity and 2p - parity + 1, nearest rows standing in for those
  /// that do not exist.
  let parity: Int
  /// The pairs that a ring holds: those that two result rows and the ones behind them need, and
  /// those that the horizontal pass makes ahead of them.
  let ringPairs: Int
  /// The means that the results are, or nil.
  let means: Means?

  init(_ mapping: AxisMapping, filter: ResampleFilter) {
    var axis = AxisWeights()
    let results = (0..<mapping.count).map { index in
      axis.compute(
        center: mapping.origin + mapping.step * Double(index), step: mapping.step, filter: filter,
        sourceCount: mapping.sourceCount, one: Int(TPK_VERTICAL_ONE))
      return (first: axis.first, weights: axis.values)
    }
    func pairs(_ first: Int, _ count: Int, _ parity: Int) -> Range<Int> {
      (first + parity) / 2..<(first + count + parity + 1) / 2
    }
    func cost(_ parity: Int) -> Int {
      results.reduce(0) { $0 + pairs($1.first, $1.weights.count, parity).count }
    }
    let parity = cost(1) < cost(0) ? 1 : 0
    var rows: [Row] = []
    var weights: [Int16] = []
    for result in results {
      let span = pairs(result.first, result.weights.count, parity)
      rows.append(
        Row(
          firstPair: span.lowerBound, pairCount: span.count, offset: weights.count,
          slot: 0, oldestPair: span.lowerBound))
      let lead = result.first + parity - 2 * span.lowerBound
      weights.append(contentsOf: repeatElement(0, count: lead))
      weights.append(contentsOf: result.weights.lazy.map { Int16(-$0) })
      weights.append(
        contentsOf: repeatElement(0, count: 2 * span.count - lead - result.weights.count))
    }
    for index in rows.indices.dropLast().reversed() {
      rows[index].oldestPair = min(rows[index].oldestPair, rows[index + 1].oldestPair)
    }
    let ringPairs = Self.window(rows) + Resampler.batch - 1
    for index in rows.indices {
      let first = min(rows[index & ~1].firstPair, rows[min(index | 1, rows.count - 1)].firstPair)
      rows[index].slot = first % ringPairs + rows[index].firstPair - first
    }
    unsafe self.rows = .allocate(capacity: rows.count)
    unsafe self.weights = .allocate(capacity: weights.count)
    for (index, row) in rows.enumerated() { unsafe (self.rows + index).initialize(to: row) }
    for (index, weight) in weights.enumerated() {
      unsafe (self.weights + index).initialize(to: weight)
    }
    self.sourceCount = mapping.sourceCount
    self.mirrored = mapping.mirrored
    self.parity = parity
    self.ringPairs = ringPairs
    self.means = Means(results, one: Int(TPK_VERTICAL_ONE))
  }

  deinit {
    unsafe rows.deallocate()
    unsafe weights.deallocate()
  }

  /// The pairs that rows 2i and 2i + 1 and the ones behind them need before the first of them is
  /// made.
  private static func window(_ rows: [Row]) -> Int {
    var end = 0
    var window = 1
    for start in stride(from: 0, to: rows.count, by: 2) {
      end = rows[start..<min(start + 2, rows.count)].reduce(end) { max($0, $1.endPair) }
      window = max(window, end - rows[start].oldestPair)
    }
    return window
  }
}
