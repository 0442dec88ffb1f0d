internal import TesseraPixels

/// The coverage of every sample of one plane by a tile or border. A row equal to the one above is
/// not stored again.
///
/// A value of c means c/256, except that 255 means 1. A chroma sample of which a tile covers n of
/// the four luma samples is thus covered by exactly n/4.
final class PlaneCoverage: Sendable {
  /// The coverage of one row, with columns counted from the area's left edge.
  struct RowSpan: Hashable, Sendable {
    /// The index of the stored row of values.
    var stored: Int
    /// The columns before the first sample with coverage 0.
    var leading: Range<Int>
    /// The columns after the last sample with coverage 0.
    var trailing: Range<Int>
    /// The first run of columns with the row's largest coverage.
    var even: Range<Int>
    /// The coverage of the samples in `even`.
    var coverage: UInt8

    /// Returns the part of `even` within the plane's `columns`. Column `start` of the plane is the
    /// first of the row.
    func even(in columns: Range<Int>, from start: Int) -> Range<Int> {
      (even.lowerBound + start..<even.upperBound + start).clamped(to: columns)
    }
  }

  /// The coverage of each row of the area.
  let spans: [RowSpan]
  private let image: Image

  /// Evaluates `value`, `0...1`, at every sample of `area`. All rows in `like` must equal the first
  /// of them.
  init(area: PixelRect, like: Range<Int>, value: (_ x: Int, _ y: Int) -> Double) {
    var rows: [[UInt8]] = []
    var spans: [RowSpan] = []
    for y in area.y..<area.maxY {
      if like.contains(y), like.contains(y - 1), let last = spans.last {
        spans.append(last)
        continue
      }
      let row = (area.x..<area.maxX).map { x in
        UInt8(min(255, (256 * value(x, y) + 0.5).rounded(.down)))
      }
      if row != rows.last { rows.append(row) }
      spans.append(Self.span(of: row, stored: rows.count - 1))
    }
    self.spans = spans
    self.image = Image(.gray8, size: PixelSize(width: area.width, height: rows.count))
    let plane = image[plane: 0]
    for (y, row) in rows.enumerated() {
      for (x, value) in row.enumerated() { plane[x, y] = value }
    }
  }

  /// Returns the coverage of the plane's `columns` in a row whose first column is `start`. The
  /// result is valid while this object lives.
  func row(_ span: RowSpan, _ columns: Range<Int>, from start: Int) -> Row {
    image[plane: 0].readOnly
      .row(span.stored, columns.lowerBound - start..<columns.upperBound - start)
  }

  /// Calls `body` for every run of equal rows among `rows`, which are counted from the area's top.
  func forEachRun(of rows: Range<Int>, _ body: (_ span: RowSpan, _ rows: Range<Int>) -> Void) {
    var first = rows.lowerBound
    while first < rows.upperBound {
      let span = spans[first]
      var end = first + 1
      while end < rows.upperBound, spans[end].stored == span.stored { end += 1 }
      body(span, first..<end)
      first = end
    }
  }

  private static func span(of row: [UInt8], stored: Int) -> RowSpan {
    let leading = row.prefix { $0 != 0 }.count
    let trailing = leading == row.count ? 0 : row.reversed().prefix { $0 != 0 }.count
    let most = row.max() ?? 0
    let first = row.firstIndex(of: most) ?? 0
    let end = first + row[first...].prefix { $0 == most }.count
    return RowSpan(
      stored: stored, leading: 0..<leading, trailing: row.count - trailing..<row.count,
      even: first..<end, coverage: most)
  }
}
