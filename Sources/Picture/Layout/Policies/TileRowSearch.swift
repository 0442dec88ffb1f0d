import TesseraTimeline

/// A search for tiles of different shapes in rows or columns that fill an area.
///
/// The items are divided in their order into rows or columns. Every picture may be cropped within
/// limits, so that the tiles of a row together are as wide as the area, and the rows as high. The
/// candidate with the least cost wins. The cost is the fraction of the area that stays background,
/// plus the costs of cropping and of tiles of unequal size.
struct TileRowSearch {
  /// The tiles, in the order of the items.
  let attributes: [LayoutAttributes]

  /// The cost of a tile of twice or half the average size. Tiles of less than a third of it cost
  /// extra, the more the smaller they are.
  private static let unevenCost = 0.06
  /// The exponents by which the lengths of rows (first) and of tiles in a row (second) follow the
  /// pictures' shapes: 0 makes them equal, 0.5 follows the square root, 1 follows fully.
  private static let exponents = [
    (0.0, 1.0), (0.5, 1), (1, 1), (0, 0.5), (0.5, 0.5), (1, 0.5), (0, 0), (0.5, 0), (1, 0),
  ]

  /// Finds the tiles of `items` in `area`, a part of ``LayoutContext/tilingBounds``; `nil` for
  /// fewer than two items, for shared screens, and for any fit but ``PictureFit/auto``.
  init?(_ items: [LayoutItem], in area: Rect, _ context: LayoutContext) {
    guard context.fit == .auto, items.count > 1, !items.contains(where: { $0.kind == .screen })
    else {
      return nil
    }
    let shapes = items.map { ShapeRange($0, context) }
    var best: (frames: [Rect], cost: Double)?
    for axis in [LayoutAxis.vertical, .horizontal] {
      let lines = Lines(
        shapes: shapes.map { $0.oriented(axis) }, area: area.size.oriented(axis), gap: context.gap)
      // Longer rows come first, longer columns last.
      let divisions = axis == .vertical ? lines.divisions : lines.divisions.reversed()
      for counts in divisions {
        for (across, along) in Self.exponents {
          guard let frames = lines.frames(counts, across, along) else { continue }
          let upright = frames.map { $0.oriented(axis) }
          let cost = Self.cost(of: upright, shapes, area.size)
          if best.map({ cost < $0.cost - 1e-9 }) ?? true { best = (upright, cost) }
        }
      }
    }
    guard let best else { return nil }
    attributes = zip(items, best.frames).map { item, frame in
      var tile = LayoutAttributes(item, frame: frame.translated(by: Point(x: area.x, y: area.y)))
      if item.kind == .camera, item.aspectRatio != nil { tile.coverage = 1 }
      return tile
    }
  }

  /// Returns the cost of `frames`, as a fraction of an area of size `area`.
  private static func cost(of frames: [Rect], _ shapes: [ShapeRange], _ area: Size) -> Double {
    let covered = frames.reduce(0) { $0 + $1.size.area }
    let average = covered / Double(frames.count)
    var cost = 1 - covered / area.area
    for (frame, shape) in zip(frames, shapes) {
      cost += frame.size.area / area.area * shape.cost(of: frame.size.aspectRatio)
      let relative = frame.size.area / average
      let unevenness = max(relative, 1 / relative) - 1 + 2 * max(0, 1 / relative - 3)
      cost += unevenCost * unevenness / Double(frames.count)
    }
    return cost
  }

  /// The shapes (width over height) that a tile may have, and their cost.
  private struct ShapeRange {
    var ratio: Double
    var limits: ClosedRange<Double>
    let isFramed: Bool
    /// True if the item has no picture to crop.
    let isCard: Bool

    init(_ item: LayoutItem, _ context: LayoutContext) {
      ratio = item.plannedAspectRatio
      isCard = item.aspectRatio == nil
      isFramed = item.isFramed && context.isUpright
      let kept = 1 - PictureFit.largestCrop
      let narrowest = isFramed ? PictureFit.narrowestFramed : PictureFit.tallestUpright
      limits =
        (context.isUpright || isCard ? min(ratio * kept, narrowest) : ratio * kept)...(ratio / kept)
    }

    func oriented(_ axis: LayoutAxis) -> ShapeRange {
      guard axis == .horizontal else { return self }
      var turned = self
      turned.ratio = 1 / ratio
      turned.limits = (1 / limits.upperBound)...(1 / limits.lowerBound)
      return turned
    }

    /// Returns the cost of showing the picture in a tile of the aspect ratio `tile`, per area.
    ///
    /// Height is taken from heads and costs more than twice as much as width. Width cropped beyond
    /// ``PictureFit/largestCrop`` costs most, unless the crop is around a face, which becomes
    /// larger.
    func cost(of tile: Double) -> Double {
      if isCard { return 0 }
      guard tile < ratio else { return 0.6 * (1 - ratio / tile) }
      let crop = 1 - tile / ratio
      return isFramed ? 0.1 * crop : 0.25 * crop + max(0, crop - PictureFit.largestCrop - 1e-9)
    }
  }

  /// Tiles in rows of an area.
  private struct Lines {
    let shapes: [ShapeRange]
    let area: Size
    let gap: Double

    /// The candidate numbers of tiles per row.
    ///
    /// They are even numbers with the longer rows first or last, and numbers for which the rows'
    /// pictures are about equally wide. Rows that are far too high or flat are left out.
    var divisions: [[Int]] {
      let total = shapes.reduce(0) { $0 + $1.ratio }
      var found: [[Int]] = []
      for rows in 1...shapes.count {
        // The height of rows of uncropped pictures, as a multiple of the area's height.
        let height = Double(rows * rows) * area.width / total / area.height
        guard (0.3...3.3).contains(height) else { continue }
        let (count, longer) = shapes.count.quotientAndRemainder(dividingBy: rows)
        found.append((0..<rows).map { count + ($0 < longer ? 1 : 0) })
        if longer > 0 { found.append((0..<rows).map { count + ($0 >= rows - longer ? 1 : 0) }) }
        var (even, before) = ([Int](repeating: 0, count: rows), 0.0)
        for shape in shapes {
          let place = (before + shape.ratio / 2) / total * Double(rows)
          even[min(rows - 1, Int(saturating: place))] += 1
          before += shape.ratio
        }
        if !even.contains(0), !found.contains(even) { found.append(even) }
      }
      return found
    }

    /// Returns the tiles of rows with `counts` tiles each; `nil` if the gaps leave no room. Heights
    /// follow the pictures' shapes by the exponent `across`, widths by `along`.
    func frames(_ counts: [Int], _ across: Double, _ along: Double) -> [Rect]? {
      var rows: [(members: ArraySlice<ShapeRange>, width: Double)] = []
      var next = 0
      for count in counts {
        rows.append((shapes[next..<next + count], area.width - Double(count) * gap))
        next += count
      }
      let height = area.height - Double(counts.count) * gap
      guard height > 0, rows.allSatisfy({ $0.width > 0 }) else { return nil }
      func sum(_ members: ArraySlice<ShapeRange>, _ part: (ShapeRange) -> Double) -> Double {
        members.reduce(0) { $0 + part($1) }
      }
      let heights = Self.lengths(
        rows.map { Self.power($0.width / sum($0.members, \.ratio), across) },
        within: rows.map { row in
          let (least, most) = (
            sum(row.members, \.limits.upperBound), sum(row.members, \.limits.lowerBound)
          )
          return (row.width / least)...(row.width / most)
        }, total: height)
      var (frames, y) = ([Rect](), (height - heights.reduce(0, +) + gap) / 2)
      for (row, height) in zip(rows, heights) {
        let widths = Self.lengths(
          row.members.map { Self.power($0.ratio, along) },
          within: row.members.map {
            ($0.limits.lowerBound * height)...($0.limits.upperBound * height)
          }, total: row.width)
        var x = (row.width - widths.reduce(0, +) + gap) / 2
        for width in widths {
          frames.append(Rect(x: x, y: y, width: width, height: height))
          x += width + gap
        }
        y += height + gap
      }
      return frames
    }

    /// Returns `base` to the power 0, 0.5 or 1.
    private static func power(_ base: Double, _ exponent: Double) -> Double {
      exponent == 0 ? 1 : exponent == 1 ? base : base.squareRoot()
    }

    /// Returns lengths in proportion to `weights` within their `limits` that add up to `total`. If
    /// `total` is out of reach, returns the upper limits, or fractions of the lower ones.
    private static func lengths(
      _ weights: [Double], within limits: [ClosedRange<Double>], total: Double
    ) -> [Double] {
      let least = limits.reduce(0) { $0 + $1.lowerBound }
      if total <= least { return limits.map { $0.lowerBound * (total / least) } }
      if total >= limits.reduce(0, { $0 + $1.upperBound }) { return limits.map(\.upperBound) }
      func length(_ index: Int, _ unit: Double) -> Double {
        min(limits[index].upperBound, max(limits[index].lowerBound, unit * weights[index]))
      }
      var (low, high) = (0.0, zip(limits, weights).map { $0.upperBound / $1 }.max() ?? 0)
      for _ in 0..<40 {
        let middle = (low + high) / 2
        let sum = limits.indices.reduce(0) { $0 + length($1, middle) }
        if sum < total { low = middle } else { high = middle }
      }
      return limits.indices.map { length($0, high) }
    }
  }
}
