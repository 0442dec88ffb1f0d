internal import TesseraCaptions
internal import TesseraLayout
package import TesseraMessages
package import TesseraPixels

/// Draws all text and signs on tiles and canvas at plan time: names, cards, signs, overlays.
///
/// The drawings go to ``store``; returned values refer to them. To be used by one thread at a time.
package final class LetteringRenderer {
  /// The colors, distances and fonts.
  package let theme: Theme
  /// The drawings made so far.
  package internal(set) var store = DrawingStore()
  private var sentences: [UserMessage] = []
  /// The texts with characters that no installed font has.
  private var incomplete: [String] = []
  let fonts = FontContext()
  let images: (any ImageLoader)?
  /// The avatars loaded so far by path; `nil` for those that could not be loaded.
  var avatars: [String: ColorImage?] = [:]

  /// Creates a drawing tool. `images` loads avatars and watermarks; if it is `nil`, participants
  /// have their initials.
  package init(theme: Theme = .dark, images: (any ImageLoader)? = nil) {
    self.theme = theme
    self.images = images
    noteMissingFonts()
  }

  /// The messages about what could not be drawn as requested, each once.
  package var notes: [UserMessage] {
    guard let first = incomplete.first else { return sentences }
    let others = incomplete.count - 1
    let more = others == 0 ? "" : others == 1 ? " and of another text" : " and of \(others) others"
    return sentences + [
      "no installed font has all letters of \"\(first)\"\(more): boxes are drawn instead."
    ]
  }

  /// Adds a message unless it is there already.
  func note(_ text: UserMessage) {
    if !sentences.contains(text) { sentences.append(text) }
  }

  private func noteMissingFonts() {
    for family in theme.families where !fonts.has(family) {
      let package = FontFamily.wanted.first { $0.name == family }?.package
      note(
        "the font family \"\(family)\" is not installed: names are drawn in another font; install "
          + "\(package ?? "it or name an installed font in the theme").")
    }
    for family in FontFamily.wanted
    where !fonts.has(family.name) && !theme.families.contains(family.name) {
      note(
        "the font family \"\(family.name)\" is not installed: \(family.letters) may be missing in "
          + "names; install \(family.package).")
    }
  }

  /// Returns a text style with the theme's font families.
  func style(
    _ size: Double, _ weight: TextStyle.Weight = .regular, hasEvenDigits: Bool = false
  ) -> TextStyle {
    var style = TextStyle(families: theme.families, weight: weight, size: size)
    style.hasEvenDigits = hasEvenDigits
    return style
  }

  /// Draws `text` on one line, cut with an ellipsis at `maximumWidth` pixels; `nil` if nothing is
  /// visible.
  func line(_ text: String, _ style: TextStyle, maximumWidth: Double? = nil) -> RenderedText? {
    let text = TextSanitizer.line(text)
    guard !text.isEmpty else { return nil }
    let layout = TextLayout(text, style, .line(maximumWidth: maximumWidth), fonts: fonts)
    return draw(layout, text)
  }

  /// Draws `layout` of `text`; `nil` if nothing is visible.
  func draw(_ layout: borrowing TextLayout, _ text: String) -> RenderedText? {
    if layout.unknownCount > 0, !incomplete.contains(text) { incomplete.append(text) }
    return RenderedText(layout, hasPictures: TextSanitizer.mayHavePictures(text))
  }
}
