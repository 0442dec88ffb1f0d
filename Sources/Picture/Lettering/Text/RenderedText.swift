import TesseraLayout
import TesseraPixels

/// Rendered text: coverage for letters in the text's color, and pictures for emoji with colors of
/// their own, both cropped to their bounding boxes.
struct RenderedText {
  /// A drawing and the position of its first pixel, relative to the top left of the text's layout.
  struct PlacedDrawing<Content> {
    var content: Content
    var x: Int
    var y: Int
  }

  /// The letters; `nil` if there are none.
  var letters: PlacedDrawing<PixelCoverage>?
  /// The emoji; `nil` if there are none.
  var pictures: PlacedDrawing<ColorImage>?
  /// The smallest rectangle of whole pixels that contains letters and emoji.
  var ink: PixelRect
  /// The logical width of the text in pixels.
  var width: Double
  /// The logical height of the text's lines in pixels.
  var height: Double
  /// The distance from the top to the first line's baseline in pixels.
  var baseline: Double
  /// True if an ellipsis replaces a part of the text.
  var isCut: Bool

  /// Draws `layout`; `nil` if nothing is visible.
  init?(_ layout: borrowing TextLayout, hasPictures: Bool) {
    let (ink, logical) = layout.extents
    let left = Int(min(ink.x, logical.x).rounded(.down)) - 1
    let top = Int(min(ink.y, logical.y).rounded(.down)) - 1
    let right = Int(max(ink.maxX, logical.maxX).rounded(.up)) + 1
    let bottom = Int(max(ink.maxY, logical.maxY).rounded(.up)) + 1
    let size = PixelSize(width: right - left, height: bottom - top)
    // Text from right to left is at the right of its maximum width.
    let (x, y) = (left - Int(logical.x.rounded(.down)), top - Int(logical.y.rounded(.down)))
    func draw(_ color: Color) -> ColorImage {
      let surface = CairoSurface(size)
      layout.draw(on: surface, x: Double(-left), y: Double(-top), color: color)
      return surface.image
    }
    let (coverage, picture) = Self.parts(
      of: draw(.white), inBlack: hasPictures ? draw(.black) : nil)
    letters = coverage.bounds.map {
      PlacedDrawing(content: coverage.cropped(to: $0), x: $0.x + x, y: $0.y + y)
    }
    pictures = picture.flatMap { picture in
      picture.bounds.map {
        PlacedDrawing(content: picture.cropped(to: $0), x: $0.x + x, y: $0.y + y)
      }
    }
    let areas = [letters?.area, pictures?.area].compactMap(\.self)
    guard let first = areas.first else { return nil }
    self.ink = areas.dropFirst().reduce(first) { $0.union($1) }
    width = logical.width
    height = logical.height
    baseline = layout.baseline
    isCut = layout.isCut
  }

  /// Separates letters from pictures by comparing two drawings: letters differ between white and
  /// black, pictures do not.
  private static func parts(
    of white: ColorImage, inBlack black: ColorImage?
  ) -> (PixelCoverage, ColorImage?) {
    let count = white.size.area
    var coverage = (0..<count).map { white.bytes[4 * $0 + 3] }
    guard let black else { return (PixelCoverage(size: white.size, bytes: coverage), nil) }
    var picture = [UInt8](repeating: 0, count: 4 * count)
    for index in 0..<count {
      let bytes = 4 * index..<4 * index + 4
      guard white.bytes[bytes] == black.bytes[bytes] else { continue }
      coverage[index] = 0
      picture.replaceSubrange(bytes, with: white.bytes[bytes])
    }
    return (
      PixelCoverage(size: white.size, bytes: coverage),
      ColorImage(width: white.width, height: white.height, bytes: picture)
    )
  }
}

extension RenderedText.PlacedDrawing<PixelCoverage> {
  var area: PixelRect {
    PixelRect(x: x, y: y, width: content.size.width, height: content.size.height)
  }
}

extension RenderedText.PlacedDrawing<ColorImage> {
  var area: PixelRect { PixelRect(x: x, y: y, width: content.width, height: content.height) }
}
