import CTesseraPango
import TesseraLayout
import TesseraPixels

/// A small picture to draw on with Cairo: transparent at first, y pointing down, one unit per
/// pixel.
///
/// If Cairo cannot allocate memory, drawing does nothing and the picture stays empty.
@safe struct CairoSurface: ~Copyable {
  /// The number of columns and rows.
  let size: PixelSize
  private let memory: OpaquePointer?
  let context: OpaquePointer?

  /// The largest side in pixels.
  static let longestSide = 16384

  /// Creates a surface of `size`, with each side clamped to `1...` ``longestSide``.
  init(_ size: PixelSize) {
    let width = max(1, min(size.width, Self.longestSide))
    let height = max(1, min(size.height, Self.longestSide))
    self.size = PixelSize(width: width, height: height)
    unsafe memory = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(width), CInt(height))
    unsafe context = cairo_create(memory)
  }

  deinit {
    // The context may be the last owner of a font.
    let context = unsafe context
    FontLock.hold { unsafe cairo_destroy(context) }
    unsafe cairo_surface_destroy(memory)
  }

  /// Runs `body` with a coordinate system translated by (`x`, `y`), then scaled, then rotated by
  /// `turn` radians. Paths and clips made in `body` end with it.
  func scoped(
    x: Double = 0, y: Double = 0, scale: Double = 1, turn: Double = 0,
    _ body: (borrowing CairoSurface) -> Void
  ) {
    unsafe cairo_save(context)
    unsafe cairo_translate(context, x, y)
    unsafe cairo_scale(context, scale, scale)
    unsafe cairo_rotate(context, turn)
    body(self)
    unsafe cairo_restore(context)
  }

  /// Restricts further drawing to the current path, until the end of the scope.
  func clip() { unsafe cairo_clip(context) }

  /// Fills the current path.
  func fill(_ color: Color = .white, opacity: Double = 1) {
    set(color, opacity)
    unsafe cairo_fill(context)
  }

  /// Fills the current path by the even-odd rule.
  func fillBetween(_ color: Color = .white) {
    unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
    fill(color)
    unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
  }

  /// Strokes the current path with round caps and joins.
  func stroke(_ width: Double, _ color: Color = .white, opacity: Double = 1) {
    set(color, opacity)
    unsafe cairo_set_line_width(context, width)
    unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    unsafe cairo_stroke(context)
  }

  /// Runs `body`; everything drawn in it becomes transparent instead.
  func erasing(_ body: (borrowing CairoSurface) -> Void) {
    unsafe cairo_set_operator(context, CAIRO_OPERATOR_DEST_OUT)
    body(self)
    unsafe cairo_set_operator(context, CAIRO_OPERATOR_OVER)
  }

  /// Draws `image` scaled to fill `area`, with smooth interpolation.
  func draw(_ image: ColorImage, in area: Rect) {
    let (width, height) = (CInt(image.width), CInt(image.height))
    let source = unsafe cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height)
    defer { unsafe cairo_surface_destroy(source) }
    guard let data = unsafe cairo_image_surface_get_data(source) else { return }
    let stride = Int(unsafe cairo_image_surface_get_stride(source))
    for y in 0..<image.height {
      for x in 0..<image.width {
        let (from, to) = (4 * (y * image.width + x), y * stride + 4 * x)
        // Cairo's pixels are words: alpha, red, green, blue from the highest byte down.
        let (red, green) = (UInt32(image.bytes[from]), UInt32(image.bytes[from + 1]))
        let (blue, alpha) = (UInt32(image.bytes[from + 2]), UInt32(image.bytes[from + 3]))
        let word = alpha << 24 | red << 16 | green << 8 | blue
        unsafe UnsafeMutableRawPointer(data).storeBytes(of: word, toByteOffset: to, as: UInt32.self)
      }
    }
    unsafe cairo_surface_mark_dirty(source)
    unsafe cairo_save(context)
    unsafe cairo_translate(context, area.x, area.y)
    unsafe cairo_scale(context, area.width / Double(width), area.height / Double(height))
    unsafe cairo_set_source_surface(context, source, 0, 0)
    unsafe cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
    unsafe cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
    unsafe cairo_rectangle(context, 0, 0, Double(width), Double(height))
    unsafe cairo_clip(context)
    unsafe cairo_paint(context)
    unsafe cairo_restore(context)
  }

  /// Sets the color for further drawing.
  func set(_ color: Color, _ opacity: Double = 1) {
    unsafe cairo_set_source_rgba(
      context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
      opacity)
  }

  /// The alpha channel of the surface.
  var coverage: PixelCoverage {
    var bytes = [UInt8](repeating: 0, count: size.area)
    readWords { index, word in bytes[index] = UInt8(word >> 24) }
    return PixelCoverage(size: size, bytes: bytes)
  }

  /// The surface's pixels in color.
  var image: ColorImage {
    var bytes = [UInt8](repeating: 0, count: 4 * size.area)
    readWords { index, word in
      bytes[4 * index] = UInt8(truncatingIfNeeded: word >> 16)
      bytes[4 * index + 1] = UInt8(truncatingIfNeeded: word >> 8)
      bytes[4 * index + 2] = UInt8(truncatingIfNeeded: word)
      bytes[4 * index + 3] = UInt8(truncatingIfNeeded: word >> 24)
    }
    return ColorImage(width: size.width, height: size.height, bytes: bytes)
  }

  private func readWords(_ body: (_ index: Int, _ word: UInt32) -> Void) {
    unsafe cairo_surface_flush(memory)
    guard let data = unsafe cairo_image_surface_get_data(memory) else { return }
    let stride = Int(unsafe cairo_image_surface_get_stride(memory))
    for y in 0..<size.height {
      for x in 0..<size.width {
        let word = unsafe UnsafeRawPointer(data).load(
          fromByteOffset: y * stride + 4 * x, as: UInt32.self)
        body(y * size.width + x, word)
      }
    }
  }
}
