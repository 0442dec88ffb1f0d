/// How ``BestFitLayout`` packs tiles into an area, after `getLayout` of opentok-layout-js.
public struct Packing: Hashable, Sendable {
  /// Where what does not fill its space stands in it.
  public enum Alignment: String, Hashable, Sendable, CaseIterable {
    /// At the left and top.
    case start
    /// In the middle.
    case center
    /// At the right and bottom.
    case end

    func position(of extent: Double, in space: Double) -> Double {
      switch self {
      case .start: 0
      case .center: (space - extent) / 2
      case .end: space - extent
      }
    }
  }

  /// The shapes a tile may have, height over width.
  public var ratios: ClosedRange<Double>
  /// Whether tiles have their picture's shape instead.
  public var isFixed: Bool
  /// Where rows stand in the area, and tiles in rows that are not full.
  public var alignment: Alignment
  /// Whether rows that are not full grow into height that is left.
  public var growsShortRows: Bool
  /// Whether of equal areas the one with the fuller last row wins.
  public var prefersEvenRows: Bool

  /// The defaults of opentok-layout-js.
  public init(
    ratios: ClosedRange<Double> = 9.0 / 16.0...1.5, isFixed: Bool = false,
    alignment: Alignment = .center, growsShortRows: Bool = true, prefersEvenRows: Bool = true
  ) {
    self.ratios = ratios
    self.isFixed = isFixed
    self.alignment = alignment
    self.growsShortRows = growsShortRows
    self.prefersEvenRows = prefersEvenRows
  }

  /// The tiles for pictures of the given ratios (height over width) in an area of size `area`.
  func boxes(_ pictures: [Double], in area: Size) -> [Rect] {
    guard let first = pictures.first else { return [] }
    let limits = isFixed ? first...first : ratios
    let target = bestTile(count: pictures.count, limits: limits, in: area)
    var rows = stride(from: 0, to: pictures.count, by: target.columns).map { start in
      let row = pictures[start..<min(start + target.columns, pictures.count)]
      return Row(
        pictures: row, width: row.reduce(0) { $0 + tileWidth(target, ratio: $1) },
        height: target.height)
    }
    fit(&rows, in: area)
    return place(rows, target: target, in: area)
  }
}

extension Packing {
  private struct Tile {
    var columns: Int
    var width: Double
    var height: Double
  }

  private struct Row {
    let pictures: ArraySlice<Double>
    var width: Double
    var height: Double
  }

  private func tileWidth(_ target: Tile, ratio: Double) -> Double {
    isFixed ? target.height / ratio : target.width
  }

  /// The number of columns, and the tile, with which `count` tiles take the most area; ties go to
  /// more columns.
  private func bestTile(count: Int, limits: ClosedRange<Double>, in area: Size) -> Tile {
    var best: Tile?
    var bestArea = 0.0
    var bestRemainder = 0
    for columns in 1...count {
      let rows = (count + columns - 1) / columns
      var width = (area.width / Double(columns)).rounded(.down)
      var height = (area.height / Double(rows)).rounded(.down)
      guard width > 0, height > 0 else { continue }
      if height > width * limits.upperBound {
        height = width * limits.upperBound
      } else if height < width * limits.lowerBound {
        width = height / limits.lowerBound
      }
      let total = width * height * Double(count)
      let remainder = columns * rows % count
      guard total >= bestArea else { continue }
      if prefersEvenRows, total == bestArea, remainder > bestRemainder { continue }
      best = Tile(columns: columns, width: width, height: height)
      (bestArea, bestRemainder) = (total, remainder)
    }
    if let best { return best }
    // Fewer pixels than tiles: parts of a pixel each.
    let columns = Int(Double(count).squareRoot().rounded(.up))
    let rows = (count + columns - 1) / columns
    return Tile(
      columns: columns, width: area.width / Double(columns), height: area.height / Double(rows))
  }

  /// Shrinks rows that are too wide and lets short ones grow into the height that is left.
  private func fit(_ rows: inout [Row], in area: Size) {
    for index in rows.indices where rows[index].width > area.width {
      rows[index].height = (rows[index].height * (area.width / rows[index].width)).rounded(.down)
      rows[index].width = area.width
    }
    var shortRows = rows.count { $0.width < area.width }
    var remaining = area.height - rows.reduce(0) { $0 + $1.height }
    guard growsShortRows, remaining > 0 else { return }
    for index in rows.indices where rows[index].width < area.width {
      let row = rows[index]
      var extra = remaining / Double(shortRows)
      if extra / row.height > (area.width - row.width) / row.width {
        extra = ((area.width - row.width) / row.width * row.height).rounded(.down)
      }
      rows[index].width += (extra / row.height * row.width).rounded(.down)
      rows[index].height += extra
      remaining -= extra
      shortRows -= 1
    }
  }

  /// The tiles of `rows`, one row under the other.
  private func place(_ rows: [Row], target: Tile, in area: Size) -> [Rect] {
    var y = alignment.position(of: rows.reduce(0) { $0 + $1.height }, in: area.height)
    var boxes: [Rect] = []
    for row in rows {
      var x = alignment.position(of: row.width, in: area.width)
      for ratio in row.pictures {
        var width = tileWidth(target, ratio: ratio)
        if isFixed {
          width = (row.height / ratio).rounded(.down)
        } else if row.height != target.height {
          width = (target.width / target.height * row.height).rounded(.down)
        }
        boxes.append(Rect(x: x, y: y, width: width, height: row.height))
        x += width
      }
      y += row.height
    }
    return boxes
  }
}
