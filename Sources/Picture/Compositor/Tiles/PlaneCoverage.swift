internal import TesseraPixels

/// How much of every sample of one plane something covers; a row equal to the one above is not
/// stored again.
///
/// A coverage of c stands for c/256, but 255 for one, so that a chroma sample of which a tile
/// covers n of the four luma samples is covered by exactly n/4.
final class PlaneCoverage: Sendable {
  /// What one row holds.
  struct Span: Hashable, Sendable {
    /// The row of values.
    var stored: Int
    /// The columns up to the first one that nothing covers.
    var leading: Range<Int>
    /// The columns after the last one that nothing covers.
    var trailing: Range<Int>
    /// Columns in the middle that are all covered alike, by the most that occurs in the row.
    var even: Range<Int>
    /// How much of them is covered.
    var coverage: UInt8

    /// Those of `even` that are among `columns` of the plane, column `start` of which is the first
    /// one.
    func even(in columns: Range<Int>, from start: Int) -> Range<Int> {
      (even.lowerBound + start..<even.upperBound + start).clamped(to: columns)
    }
  }

  /// For every row of the plane what it holds.
  let spans: [Span]
  private let image: Image

  /// The coverage of the samples of `area`, whose rows in `like` all equal the first of them.
  init(area: PixelRect, like: Range<Int>, value: (_ x: Int, _ y: Int) -> Double) {
    var rows: [[UInt8]] = []
    var spans: [Span] = []
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

  /// The coverage of the samples in plane columns `columns` of a row, column `start` of the plane
  /// being the first one; valid while the coverage lives.
  func row(_ span: Span, _ columns: Range<Int>, from start: Int) -> Row {
    image[plane: 0].readOnly
      .row(span.stored, columns.lowerBound - start..<columns.upperBound - start)
  }

  /// Calls `body` for every run of equal rows among `rows`, which count from the top.
  func forEachRun(of rows: Range<Int>, _ body: (_ span: Span, _ rows: Range<Int>) -> Void) {
    var first = rows.lowerBound
    while first < rows.upperBound {
      let span = spans[first]
      var end = first + 1
      while end < rows.upperBound, spans[end].stored == span.stored { end += 1 }
      body(span, first..<end)
      first = end
    }
  }

  private static func span(of row: [UInt8], stored: Int) -> Span {
    let leading = row.prefix { $0 != 0 }.count
    let trailing = leading == row.count ? 0 : row.reversed().prefix { $0 != 0 }.count
    let most = row.max() ?? 0
    let first = row.firstIndex(of: most) ?? 0
    let end = first + row[first...].prefix { $0 == most }.count
    return Span(
      stored: stored, leading: 0..<leading, trailing: row.count - trailing..<row.count,
      even: first..<end, coverage: most)
  }
}
