import CTesseraPango
import TesseraLayout
import TesseraPixels

/// Text that Pango has shaped and broken into lines, ready to be measured and drawn.
@safe struct TextLayout: ~Copyable {
  /// The rule by which lines are broken and cut.
  enum Wrapping {
    /// One line, cut with an ellipsis at `maximumWidth` pixels; `nil` sets no limit.
    case line(maximumWidth: Double?)
    /// At most `lines` lines of `width` pixels, centered; the last one is cut with an ellipsis.
    case paragraph(width: Double, lines: Int)
  }

  private let raw: OpaquePointer?

  /// Lays out `text`, which must be plain text without markup.
  init(_ text: String, _ style: TextStyle, _ flow: Wrapping, fonts: FontContext) {
    var made: OpaquePointer?
    FontLock.hold {
      unsafe made = fonts.context.flatMap { unsafe pango_layout_new($0) }
      if let layout = unsafe made { unsafe Self.set(layout, text, style, flow) }
    }
    unsafe raw = made
  }

  private static func set(
    _ raw: OpaquePointer, _ text: String, _ style: TextStyle, _ flow: Wrapping
  ) {
    unsafe pango_layout_set_text(raw, text, CInt(text.utf8.count))
    unsafe tpg_layout_set_plain(raw, style.hasEvenDigits ? 1 : 0)
    let font = unsafe pango_font_description_new()
    defer { unsafe pango_font_description_free(font) }
    let families = style.families + ["sans-serif"]
    unsafe pango_font_description_set_family(font, families.joined(separator: ","))
    unsafe pango_font_description_set_weight(font, style.weight.pango)
    unsafe pango_font_description_set_absolute_size(font, units(max(1, style.size)))
    unsafe pango_layout_set_font_description(raw, font)
    unsafe pango_layout_set_ellipsize(raw, PANGO_ELLIPSIZE_END)
    switch flow {
    case .line(let width):
      unsafe pango_layout_set_single_paragraph_mode(raw, 1)
      if let width { unsafe pango_layout_set_width(raw, CInt(units(max(1, width)))) }
    case .paragraph(let width, let lines):
      unsafe pango_layout_set_alignment(raw, PANGO_ALIGN_CENTER)
      unsafe pango_layout_set_wrap(raw, PANGO_WRAP_WORD_CHAR)
      unsafe pango_layout_set_width(raw, CInt(units(max(1, width))))
      unsafe pango_layout_set_height(raw, CInt(-max(1, lines)))
    }
  }

  deinit {
    guard let raw = unsafe raw else { return }
    FontLock.hold { unsafe tpg_release(UnsafeMutableRawPointer(raw)) }
  }

  /// The ink rectangle of the letters (`ink`) and the layout rectangle (`logical`), in pixels
  /// relative to the top left of the layout.
  var extents: (ink: Rect, logical: Rect) {
    guard let raw = unsafe raw else { return (Self.empty, Self.empty) }
    return FontLock.hold {
      var (ink, logical) = (PangoRectangle(), PangoRectangle())
      unsafe pango_layout_get_extents(raw, &ink, &logical)
      return (Self.rect(ink), Self.rect(logical))
    }
  }

  /// The distance from the top of the layout to the first line's baseline, in pixels.
  var baseline: Double {
    guard let raw = unsafe raw else { return 0 }
    return FontLock.hold { Double(unsafe pango_layout_get_baseline(raw)) / Double(PANGO_SCALE) }
  }

  /// True if an ellipsis replaces a part of the text.
  var isCut: Bool {
    guard let raw = unsafe raw else { return false }
    return FontLock.hold { unsafe pango_layout_is_ellipsized(raw) != 0 }
  }

  /// The number of lines.
  var lineCount: Int {
    guard let raw = unsafe raw else { return 0 }
    return FontLock.hold { Int(unsafe pango_layout_get_line_count(raw)) }
  }

  /// The number of characters that no installed font has.
  var unknownCount: Int {
    guard let raw = unsafe raw else { return 0 }
    return FontLock.hold { Int(unsafe pango_layout_get_unknown_glyphs_count(raw)) }
  }

  /// Returns the rectangle of the letter at a byte offset of the text, relative to the top left of
  /// the layout; `nil` if Pango could not create a layout.
  func rect(at byte: Int) -> Rect? {
    guard let raw = unsafe raw else { return nil }
    let place = FontLock.hold {
      var place = PangoRectangle()
      unsafe pango_layout_index_to_pos(raw, CInt(clamping: byte), &place)
      return Self.rect(place)
    }
    // In text from right to left the width is negative.
    return Rect(
      x: min(place.x, place.x + place.width), y: place.y, width: place.width.magnitude,
      height: place.height)
  }

  /// Returns the byte offsets at which lines may be broken and words begin. `lengths` are the
  /// numbers of bytes of the text's scalars.
  func wordBoundaries(_ lengths: [Int]) -> [Int] {
    guard let raw = unsafe raw else { return [] }
    return FontLock.hold {
      var count: CInt = 0
      guard let attributes = unsafe pango_layout_get_log_attrs_readonly(raw, &count) else {
        return []
      }
      var (places, byte) = ([Int](), 0)
      for (number, length) in lengths.enumerated() where number < Int(count) {
        if unsafe tpg_is_word_break(attributes, CInt(number)) != 0 { places.append(byte) }
        byte += length
      }
      return places
    }
  }

  /// Draws the text with the top left of the layout at (`x`, `y`).
  func draw(on surface: borrowing CairoSurface, x: Double, y: Double, color: Color) {
    guard let raw = unsafe raw, let context = unsafe surface.context else { return }
    surface.set(color)
    unsafe cairo_move_to(context, x, y)
    FontLock.hold { unsafe pango_cairo_show_layout(context, raw) }
    unsafe cairo_new_path(context)
  }

  /// Strokes the outlines of the letters; emoji have none.
  func outline(
    on surface: borrowing CairoSurface, x: Double, y: Double, width: Double, color: Color
  ) {
    guard let raw = unsafe raw, let context = unsafe surface.context else { return }
    unsafe cairo_move_to(context, x, y)
    FontLock.hold { unsafe pango_cairo_layout_path(context, raw) }
    surface.stroke(width, color)
  }

  private static let empty = Rect(x: 0, y: 0, width: 0, height: 0)

  private static func units(_ pixels: Double) -> Double {
    (min(pixels, 1_000_000) * Double(PANGO_SCALE)).rounded()
  }

  private static func rect(_ units: PangoRectangle) -> Rect {
    let scale = Double(PANGO_SCALE)
    return Rect(
      x: Double(units.x) / scale, y: Double(units.y) / scale,
      width: Double(units.width) / scale, height: Double(units.height) / scale)
  }
}

extension TextStyle.Weight {
  fileprivate var pango: PangoWeight {
    switch self {
    case .regular: PANGO_WEIGHT_NORMAL
    case .medium: PANGO_WEIGHT_MEDIUM
    case .bold: PANGO_WEIGHT_BOLD
    }
  }
}
