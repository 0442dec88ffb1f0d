internal import CTesseraPixelKernels

/// The weights of the vertical pass. Every result row is a sum over consecutive pairs of source
/// rows.
@safe final class VerticalWeights: @unchecked Sendable {
  /// The weights and ring slot of each result row. The slots of rows 2i and 2i + 1 count from one
  /// turn of the ring, so that they can share their pairs.
  let rows: UnsafeMutablePointer<tpk_vertical_row>
  /// For every result row, the first pair that this or any later row reads.
  let oldestPairs: UnsafeMutablePointer<Int32>
  /// The number of result rows that can be computed once the pairs before index p have gone through
  /// the horizontal pass.
  let readyRows: UnsafeMutablePointer<Int32>
  /// The memory of the rows' weights: two negated weights in 1/16384 for every pair of every row.
  private let weights: UnsafeMutablePointer<Int16>
  /// The first copied row if the pass only copies; see ``AxisTaps/copiedFrom``.
  let copiedFrom: Int?
  /// The number of source rows.
  let sourceCount: Int
  /// True if row 0 of the source is its last row in memory.
  let mirrored: Bool
  /// The offset of pairs: pair p contains source rows 2p - parity and 2p - parity + 1. Rows that do
  /// not exist are replaced by the nearest ones.
  let parity: Int
  /// The number of pairs from pair 0 to the last one that a result row reads.
  let pairCount: Int
  /// The number of pairs in a ring: enough for two result rows and the following ones, plus those
  /// that the horizontal pass computes ahead.
  let ringPairs: Int
  /// The largest number of pairs per call of the horizontal pass.
  let batch: Int

  /// Returns the weights of every result row, for the source in reading direction.
  ///
  /// If results are more than two rows apart, filters lose end weights below half of the horizontal
  /// weights' resolution.
  static func weights(_ mapping: AxisMapping, filter: ResampleFilter) -> AxisTaps {
    var taps = AxisTaps(capacity: mapping.count)
    var axis = AxisWeightCalculator()
    for index in 0..<mapping.count {
      axis.collect(mapping, index, filter: filter)
      if mapping.step > 2 { axis.shorten(least: 0.5 / Double(TPK_HORIZONTAL_ONE)) }
      axis.quantize(one: Int(TPK_VERTICAL_ONE))
      taps.append(first: axis.first, axis.values)
    }
    return taps
  }

  /// Creates the axis of `results`.
  init(_ mapping: AxisMapping, _ results: AxisTaps, batch: Int) {
    let (spans, parity) = Self.spans(results)
    let needs = Self.needs(spans)
    let ringPairs = Self.window(needs) + batch - 1
    unsafe self.rows = .allocate(capacity: spans.count)
    unsafe self.oldestPairs = .allocate(capacity: spans.count)
    self.pairCount = needs.last?.upperBound ?? 0
    unsafe self.readyRows = Self.readyRows(needs)
    unsafe self.weights = .allocate(capacity: 2 * Self.total(spans))
    var next = unsafe weights
    for (index, span) in spans.enumerated() {
      let turn = min(
        spans[index & ~1].lowerBound, spans[min(index | 1, spans.count - 1)].lowerBound)
      unsafe (rows + index).initialize(
        to: tpk_vertical_row(
          weights: next, pair_count: Int32(span.count),
          slot: Int32(turn % ringPairs + span.lowerBound - turn)))
      unsafe (oldestPairs + index).initialize(to: Int32(needs[index].lowerBound))
      unsafe next.initialize(repeating: 0, count: 2 * span.count)
      var tap = results.firsts[index] + parity - 2 * span.lowerBound
      for weight in results.weights(index) {
        unsafe next[tap] = Int16(-weight)
        tap += 1
      }
      unsafe next += 2 * span.count
    }
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

  /// Returns the pairs that every row reads, with the parity that makes them fewer.
  private static func spans(_ results: AxisTaps) -> (spans: [Range<Int>], parity: Int) {
    func spans(_ parity: Int) -> [Range<Int>] {
      results.firsts.indices.map { index in
        let first = results.firsts[index]
        let end = first + results.weights(index).count
        return (first + parity) / 2..<(end + parity + 1) / 2
      }
    }
    let (even, odd) = (spans(0), spans(1))
    return total(odd) < total(even) ? (odd, 1) : (even, 0)
  }

  private static func total(_ spans: [Range<Int>]) -> Int { spans.reduce(0) { $0 + $1.count } }

  /// Returns for every row the range from the first pair that this or any later row reads to the
  /// last pair that this or any earlier row reads.
  private static func needs(_ spans: [Range<Int>]) -> [Range<Int>] {
    var (oldest, ends) = (spans.map { $0.lowerBound }, spans.map { $0.upperBound })
    for index in spans.indices.dropLast().reversed() {
      oldest[index] = min(oldest[index], oldest[index + 1])
    }
    for index in spans.indices.dropFirst() { ends[index] = max(ends[index], ends[index - 1]) }
    return zip(oldest, ends).map { $0..<$1 }
  }

  /// Returns the number of ready rows for every number of completed pairs.
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

  /// Returns the largest number of pairs that rows 2i and 2i + 1 and the following ones need before
  /// the first of them is computed.
  private static func window(_ needs: [Range<Int>]) -> Int {
    stride(from: 0, to: needs.count, by: 2).reduce(1) { window, first in
      max(window, needs[min(first + 1, needs.count - 1)].upperBound - needs[first].lowerBound)
    }
  }
}
