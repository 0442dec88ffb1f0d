import TesseraLayout
import TesseraPixels

/// Text as pixels: what is drawn in the text's color, and small pictures with colors of their
/// own, both cut to what they cover.
struct DrawnText {
  /// Something drawn and its first pixel, from the top left of the space that the text takes.
  struct Part<Content> {
    var content: Content
    var x: Int
    var y: Int
  }

  /// The letters; nil where there are none.
  var letters: Part<Coverage>?
  /// The emoji; nil where there are none.
  var pictures: Part<ColorImage>?
  /// The smallest rectangle of whole pixels that holds both.
  var ink: PixelRect
  /// The width that the text takes, in pixels.
  var width: Double
  /// The height that its lines take, in pixels.
  var height: Double
  /// From the top to the first line's baseline, in pixels.
  var baseline: Double
  /// Whether an ellipsis stands for a part of the text.
  var isCut: Bool

  /// Draws `layout`; nil where nothing of it is seen.
  init?(_ layout: borrowing TextLayout, hasPictures: Bool) {
    let (ink, logical) = layout.extents
    let left = Int(min(ink.x, logical.x).rounded(.down)) - 1
    let top = Int(min(ink.y, logical.y).rounded(.down)) - 1
    let right = Int(max(ink.maxX, logical.maxX).rounded(.up)) + 1
    let bottom = Int(max(ink.maxY, logical.maxY).rounded(.up)) + 1
    let size = PixelSize(width: right - left, height: bottom - top)
    // Text from right to left stands at the right of the width that it may take.
    let (x, y) = (left - Int(logical.x.rounded(.down)), top - Int(logical.y.rounded(.down)))
    func draw(_ color: Color) -> ColorImage {
      let surface = Surface(size)
      layout.draw(on: surface, x: Double(-left), y: Double(-top), color: color)
      return surface.image
    }
    let (coverage, picture) = Self.parts(
      of: draw(.white), inBlack: hasPictures ? draw(.black) : nil)
    letters = coverage.bounds.map {
      Part(content: coverage.cropped(to: $0), x: $0.x + x, y: $0.y + y)
    }
    pictures = picture.flatMap { picture in
      picture.bounds.map {
        Part(content: picture.cropped(to: $0), x: $0.x + x, y: $0.y + y)
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

  /// Separates letters from pictures by drawing twice: letters come out white and black, pictures
  /// as they are.
  private static func parts(
    of white: ColorImage, inBlack black: ColorImage?
  ) -> (Coverage, ColorImage?) {
    let count = white.size.area
    var coverage = (0..<count).map { white.bytes[4 * $0 + 3] }
    guard let black else { return (Coverage(size: white.size, bytes: coverage), nil) }
    var picture = [UInt8](repeating: 0, count: 4 * count)
    for index in 0..<count {
      let bytes = 4 * index..<4 * index + 4
      guard white.bytes[bytes] == black.bytes[bytes] else { continue }
      coverage[index] = 0
      picture.replaceSubrange(bytes, with: white.bytes[bytes])
    }
    return (
      Coverage(size: white.size, bytes: coverage),
      ColorImage(width: white.width, height: white.height, bytes: picture)
    )
  }
}

extension DrawnText.Part<Coverage> {
  var area: PixelRect {
    PixelRect(x: x, y: y, width: content.size.width, height: content.size.height)
  }
}

extension DrawnText.Part<ColorImage> {
  var area: PixelRect { PixelRect(x: x, y: y, width: content.width, height: content.height) }
}

extension PixelRect {
  /// The smallest rectangle that holds both.
  func union(_ other: PixelRect) -> PixelRect {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return PixelRect(
      x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }
}
