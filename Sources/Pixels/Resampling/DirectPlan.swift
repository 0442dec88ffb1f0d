internal import CTesseraPixelKernels

/// Both passes in one step, where nothing is lost in 16 bits: the columns' and the rows' weights
/// are positive and multiples of fractions so coarse that their products are of 1/128, columns
/// follow a ``GroupPattern``, and at most four source rows make a row. So are, for example, those
/// of `area` at 2:1, 4:1 and 4:3 and of `bilinear` at 2:1.
@safe final class DirectPlan: @unchecked Sendable {
  /// What the kernels read; it lives as long as this object.
  let plan: UnsafeMutablePointer<tpk_direct>
  private let rows: UnsafeMutablePointer<tpk_direct_row>
  private let axis: HorizontalAxis

  /// The plan of these weights, of 1/128 for the columns and 1/16384 for the rows; nil where they
  /// are not coarse or columns do not follow a pattern. `axis` is made of the same columns.
  init?(
    _ axis: HorizontalAxis, _ columns: AxisTaps, rows: AxisTaps, sourceRows: Int
  ) {
    let (one, rowOne) = (Int(TPK_DIRECT_ONE), Int(TPK_VERTICAL_ONE))
    guard let unit = columns.commonUnit(limit: one),
      Self.areCoarse(unit, rows.commonUnit(limit: rowOne)), rows.longest <= 4,
      var pattern = GroupPattern(Array(columns))
    else { return nil }
    // With the columns' weights divided by their unit, products with these are of 1/128.
    let divisor = rowOne / unit
    let heaviestRow = rows.heaviest / divisor
    func fit(_ weights: [[Int]]) -> Bool {
      weights.joined().reduce(0, max) / unit * heaviestRow < one
    }
    guard fit(pattern.terms.map(\.weights)) else { return nil }
    if let before = pattern.before, !fit(before) { pattern.before = nil }
    if let after = pattern.after, !fit(after) { pattern.after = nil }
    self.axis = axis
    unsafe self.rows = .allocate(capacity: rows.count)
    for (index, row) in rows.enumerated() {
      var direct = tpk_direct_row(first: Int32(row.first), weights: (0, 0, 0, 0))
      unsafe withUnsafeMutableBytes(of: &direct.weights) {
        unsafe Self.store([row.weights], divisor, $0)
      }
      unsafe (self.rows + index).initialize(to: direct)
    }
    var direct = unsafe Self.columns(axis, pattern, unit: unit)
    unsafe direct.rows = UnsafePointer(self.rows)
    unsafe direct.row_taps = rows.longest <= 2 ? 2 : 4
    unsafe direct.source_rows = Int32(sourceRows)
    unsafe self.plan = .allocate(capacity: 1)
    unsafe plan.initialize(to: direct)
  }

  /// The plan of two axes, which were made of these mappings.
  convenience init?(
    _ axis: HorizontalAxis, _ columns: AxisMapping, _ rowAxis: VerticalAxis, _ rows: AxisMapping,
    filter: ResampleFilter
  ) {
    guard axis.readable <= columns.sourceCount, Self.areCoarse(axis.unit, rowAxis.unit)
    else { return nil }
    self.init(
      axis, HorizontalAxis.weights(columns, filter: filter),
      rows: VerticalAxis.weights(rows, filter: filter), sourceRows: rows.sourceCount)
  }

  /// Whether the products of weights that are multiples of these units are of 1/128.
  private static func areCoarse(_ unit: Int?, _ rowUnit: Int?) -> Bool {
    guard let unit, let rowUnit else { return false }
    return unit * rowUnit >= Int(TPK_VERTICAL_ONE)
  }

  deinit {
    unsafe plan.deallocate()
    unsafe rows.deallocate()
  }

  private static func columns(
    _ axis: HorizontalAxis, _ pattern: GroupPattern, unit: Int
  ) -> tpk_direct {
    var direct = unsafe tpk_direct()
    unsafe direct.columns = UnsafePointer(axis.plan)
    unsafe direct.shift = Int32(unit.trailingZeroBitCount)
    unsafe direct.phases = Int32(pattern.phases)
    unsafe direct.terms = Int32(pattern.terms.count)
    unsafe direct.first = Int32(pattern.groups.lowerBound)
    unsafe direct.last = Int32(pattern.groups.upperBound)
    unsafe direct.has_before = pattern.before != nil
    unsafe direct.has_after = pattern.after != nil
    let offsets = pattern.terms.map { Int32($0.offset) }
    unsafe direct.least = offsets.min() ?? 0
    unsafe direct.greatest = offsets.max() ?? 0
    unsafe withUnsafeMutableBytes(of: &direct.offset) { target in
      unsafe offsets.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
    let weights = pattern.terms.map(\.weights)
    unsafe withUnsafeMutableBytes(of: &direct.weights) { unsafe store(weights, unit, $0) }
    if let before = pattern.before {
      unsafe withUnsafeMutableBytes(of: &direct.before) { unsafe store(before, unit, $0) }
    }
    if let after = pattern.after {
      unsafe withUnsafeMutableBytes(of: &direct.after) { unsafe store(after, unit, $0) }
    }
    return unsafe direct
  }

  private static func store(
    _ weights: [[Int]], _ unit: Int, _ target: UnsafeMutableRawBufferPointer
  ) {
    for (index, weight) in weights.joined().enumerated() {
      unsafe target[index] = UInt8(weight / unit)
    }
  }
}
