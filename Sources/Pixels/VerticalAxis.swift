internal import CPixelKernels

/// The weights of the vertical pass: every result row is a sum over consecutive pairs of source
/// rows.
@safe final class VerticalAxis: @unchecked Sendable {
  /// What the result rows are made from. In the ring, rows 2i and 2i + 1 count on from the same
  /// turn, so that they can share their pairs.
  let rows: UnsafeMutablePointer<tpk_vertical_row>
  /// For every result row the first pair that it or any later one reads.
  let oldestPairs: UnsafeMutablePointer<Int32>
  /// How many result rows can be made once the pairs before index p have gone through the
  /// horizontal pass.
  let readyRows: UnsafeMutablePointer<Int32>
  /// What the rows' weights point at: two negated ones in 1/16384 for every pair of every row.
  private let weights: UnsafeMutablePointer<Int16>
  /// See ``Swift/Array/commonUnit(limit:)``.
  let unit: Int?
  /// See ``Swift/Array/copiedFrom``.
  let copiedFrom: Int?
  /// The number of source rows.
  let sourceCount: Int
  /// Whether row 0 of the source is its last one in memory.
  let mirrored: Bool
  /// Pair p holds source rows 2p - parity and 2p - parity + 1, nearest rows standing in for those
  /// that do not exist.
  let parity: Int
  /// The pairs before the last one that a result row reads, and that one.
  let pairCount: Int
  /// The pairs that a ring holds: those that two result rows and the ones behind them need, and
  /// those that the horizontal pass makes ahead of them.
  let ringPairs: Int
  /// The pairs that the horizontal pass makes at a time, at most.
  let batch: Int

  /// The weights of every result row, for the source as it is read.
  ///
  /// Where results lie more than two rows apart, filters give up what is less than half of what the
  /// horizontal weights can tell apart.
  static func weights(_ mapping: AxisMapping, filter: ResampleFilter) -> [TapWeights] {
    let least = mapping.step > 2 ? 0.5 / Double(TPK_HORIZONTAL_ONE) : 0
    var axis = AxisWeights()
    return (0..<mapping.count).map { index in
      axis.compute(
        center: mapping.origin + mapping.step * Double(index), step: mapping.step, filter: filter,
        sourceCount: mapping.sourceCount, one: Int(TPK_VERTICAL_ONE), least: least)
      return TapWeights(first: axis.first, weights: axis.values)
    }
  }

  /// The axis of these weights.
  init(_ mapping: AxisMapping, _ results: [TapWeights], batch: Int) {
    func pairs(_ first: Int, _ count: Int, _ parity: Int) -> Range<Int> {
      (first + parity) / 2..<(first + count + parity + 1) / 2
    }
    func cost(_ parity: Int) -> Int {
      results.reduce(0) { $0 + pairs($1.first, $1.weights.count, parity).count }
    }
    let parity = cost(1) < cost(0) ? 1 : 0
    let spans = results.map { pairs($0.first, $0.weights.count, parity) }
    let needs = Self.needs(spans)
    let ringPairs = Self.window(needs) + batch - 1
    unsafe self.rows = .allocate(capacity: spans.count)
    unsafe self.oldestPairs = .allocate(capacity: spans.count)
    self.pairCount = needs.last?.upperBound ?? 0
    unsafe self.readyRows = Self.readyRows(needs)
    unsafe self.weights = .allocate(capacity: 2 * spans.reduce(0) { $0 + $1.count })
    var next = unsafe weights
    for (index, (span, result)) in zip(spans, results).enumerated() {
      let turn = min(
        spans[index & ~1].lowerBound, spans[min(index | 1, spans.count - 1)].lowerBound)
      unsafe (rows + index).initialize(
        to: tpk_vertical_row(
          weights: next, pair_count: Int32(span.count),
          slot: Int32(turn % ringPairs + span.lowerBound - turn)))
      unsafe (oldestPairs + index).initialize(to: Int32(needs[index].lowerBound))
      unsafe next.initialize(repeating: 0, count: 2 * span.count)
      let lead = result.first + parity - 2 * span.lowerBound
      for (tap, weight) in result.weights.enumerated() {
        unsafe next[lead + tap] = Int16(-weight)
      }
      unsafe next += 2 * span.count
    }
    self.unit = results.commonUnit(limit: Int(TPK_VERTICAL_ONE))
    self.copiedFrom = results.copiedFrom
    self.sourceCount = mapping.sourceCount
    self.mirrored = mapping.mirrored
    self.parity = parity
    self.ringPairs = ringPairs
    self.batch = batch
  }

  deinit {
    unsafe rows.deallocate()
    unsafe oldestPairs.deallocate()
    unsafe readyRows.deallocate()
    unsafe weights.deallocate()
  }

  /// For every row the pairs that it or any later row, and that it or any earlier row, reads.
  private static func needs(_ spans: [Range<Int>]) -> [Range<Int>] {
    var (oldest, ends) = (spans.map(\.lowerBound), spans.map(\.upperBound))
    for index in spans.indices.dropLast().reversed() {
      oldest[index] = min(oldest[index], oldest[index + 1])
    }
    for index in spans.indices.dropFirst() { ends[index] = max(ends[index], ends[index - 1]) }
    return zip(oldest, ends).map { $0..<$1 }
  }

  /// The rows that are ready for every number of pairs that the horizontal pass can come to.
  private static func readyRows(_ needs: [Range<Int>]) -> UnsafeMutablePointer<Int32> {
    let count = (needs.last?.upperBound ?? 0) + 1
    let ready = UnsafeMutablePointer<Int32>.allocate(capacity: count)
    var row = 0
    for pair in 0..<count {
      while row < needs.count, needs[row].upperBound <= pair { row += 1 }
      unsafe (ready + pair).initialize(to: Int32(row))
    }
    return unsafe ready
  }

  /// The pairs that rows 2i and 2i + 1 and the ones behind them need before the first of them is
  /// made.
  private static func window(_ needs: [Range<Int>]) -> Int {
    stride(from: 0, to: needs.count, by: 2).reduce(1) { window, first in
      max(window, needs[min(first + 1, needs.count - 1)].upperBound - needs[first].lowerBound)
    }
  }
}
