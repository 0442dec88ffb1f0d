public import TesseraLayout
public import TesseraPixels

/// The lettering `+12`: a plus sign and digits, as strokes of one thickness with round ends.
struct CountLettering {
  private static let thickness = 0.16
  /// From the left edge of one character's box to that of the next.
  private static let advance = boxWidth + thickness + 0.16

  /// The strokes cut into straight pieces.
  private let segments: [(from: Point, to: Point)]
  /// The extent of the ink in units; it begins half a thickness left of and above the first box.
  let size: Size

  /// The lettering of `count`, at least 0.
  init(count: Int) {
    let digits = String(count).compactMap(\.wholeNumberValue)
    let characters = [Self.plus] + digits.map { Self.digits[$0] }
    segments = characters.enumerated().flatMap { index, strokes in
      let left = Double(index) * Self.advance
      return strokes.flatMap { stroke in
        let points = stroke.map { Point(x: $0.x + left, y: $0.y) }
        return zip(points, points.dropFirst()).map { ($0, $1) }
      }
    }
    size = Size(
      width: Double(characters.count - 1) * Self.advance + Self.boxWidth + Self.thickness,
      height: 1 + Self.thickness)
  }

  /// The coverage of `pixels` with the lettering in their middle, a unit `scale` pixels long.
  func mask(_ pixels: PixelSize, scale: Double) -> Mask {
    let image = Image(.gray8, size: pixels)
    let plane = image[plane: 0]
    let radius = Self.thickness / 2 * scale
    let left = (Double(pixels.width) - size.width * scale) / 2 + radius
    let top = (Double(pixels.height) - size.height * scale) / 2 + radius
    for y in 0..<pixels.height {
      for x in 0..<pixels.width { plane[x, y] = 0 }
    }
    for segment in segments where scale > 0 {
      let a = Point(x: segment.from.x * scale + left, y: segment.from.y * scale + top)
      let b = Point(x: segment.to.x * scale + left, y: segment.to.y * scale + top)
      for y in Self.samples(a.y, b.y, radius, pixels.height) {
        for x in Self.samples(a.x, b.x, radius, pixels.width) {
          let center = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
          let coverage = radius + 0.5 - Self.distance(center, a, b)
          plane[x, y] = max(plane[x, y], UInt8(255 * max(0, min(1, coverage)) + 0.5))
        }
      }
    }
    return Mask(image)
  }

  /// The samples of `0..<count` that a stroke between `a` and `b` may reach.
  private static func samples(
    _ a: Double, _ b: Double, _ radius: Double, _ count: Int
  ) -> Range<Int> {
    let first = max(0, Int((min(a, b) - radius - 1).rounded(.down)))
    return first..<max(first, min(count, Int((max(a, b) + radius + 1).rounded(.up))))
  }

  /// How far `point` is from the line between `a` and `b`.
  private static func distance(_ point: Point, _ a: Point, _ b: Point) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let along = (point.x - a.x) * dx + (point.y - a.y) * dy
    let share = max(0, min(1, along / (dx * dx + dy * dy)))
    let (x, y) = (point.x - a.x - share * dx, point.y - a.y - share * dy)
    return (x * x + y * y).squareRoot()
  }
}

extension TileDraw.Overlay {
  /// The lettering `+count` in the middle of a tile that fills `tile`, sharp at any size.
  public init(count: Int, in tile: Rect, color: Color) {
    let pixels = PixelRect(rounding: tile).size
    let lettering = CountLettering(count: max(0, count))
    let scale = min(
      Double(pixels.height) * 0.36 / lettering.size.height,
      Double(pixels.width) * 0.7 / lettering.size.width)
    // As even or odd as the tile, so that the middle of one is the middle of the other.
    func length(_ ink: Double, in space: Int) -> Int {
      let whole = Int((ink * scale).rounded(.up))
      return max(1, whole + (space - whole) % 2)
    }
    let size = PixelSize(
      width: length(lettering.size.width, in: pixels.width),
      height: length(lettering.size.height, in: pixels.height))
    self.init(
      mask: lettering.mask(size, scale: scale), color: color,
      x: (pixels.width - size.width) / 2, y: (pixels.height - size.height) / 2)
  }
}
