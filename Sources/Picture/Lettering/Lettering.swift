internal import TesseraCaptions
internal import TesseraLayout
package import TesseraPixels

/// Draws all that is lettered on tiles and canvas, at plan time: names, cards, signs, overlays.
///
/// What it draws is in ``store``; what it returns refers to that. To be used by one thread at a
/// time.
package final class Lettering {
  /// How everything looks.
  package let theme: Theme
  /// What was drawn so far.
  package internal(set) var store = ArtStore()
  private var sentences: [String] = []
  /// Texts with letters that no installed font has.
  private var incomplete: [String] = []
  let fonts = Fonts()
  let images: (any ImageLoader)?
  /// Avatars that were opened; nil for those that cannot be.
  var avatars: [String: ColorImage?] = [:]

  /// A drawing tool for one look. `images` opens avatars and watermarks; without it, people have
  /// their initials.
  package init(theme: Theme = .dark, images: (any ImageLoader)? = nil) {
    self.theme = theme
    self.images = images
    noteMissingFonts()
  }

  /// What is not as it was asked for, as sentences, each once.
  package var notes: [String] {
    guard let first = incomplete.first else { return sentences }
    let others = incomplete.count - 1
    let more = others == 0 ? "" : others == 1 ? " and of another text" : " and of \(others) others"
    return sentences + [
      "no installed font has all letters of \"\(first)\"\(more): boxes stand for them."
    ]
  }

  /// Adds a note, once.
  func note(_ text: String) {
    if !sentences.contains(text) { sentences.append(text) }
  }

  private func noteMissingFonts() {
    for family in theme.families where !fonts.has(family) {
      let package = FontFamily.wanted.first { $0.name == family }?.package
      note(
        "the font family \"\(family)\" is not installed: names are drawn in another; install "
          + (package ?? "it or name one that is there in the theme") + ".")
    }
    for family in FontFamily.wanted
    where !fonts.has(family.name) && !theme.families.contains(family.name) {
      note(
        "the font family \"\(family.name)\" is not installed: \(family.letters) may be missing in "
          + "names; install \(family.package).")
    }
  }

  /// A style of the theme's letters.
  func style(
    _ size: Double, _ weight: TextStyle.Weight = .regular, hasEvenDigits: Bool = false
  ) -> TextStyle {
    var style = TextStyle(families: theme.families, weight: weight, size: size)
    style.hasEvenDigits = hasEvenDigits
    return style
  }

  /// `text` drawn on one line as wide as `maximumWidth` pixels at most; nil where nothing of it
  /// is seen.
  func line(_ text: String, _ style: TextStyle, maximumWidth: Double? = nil) -> DrawnText? {
    let text = PlainText.line(text)
    guard !text.isEmpty else { return nil }
    let layout = TextLayout(text, style, .line(maximumWidth: maximumWidth), fonts: fonts)
    return draw(layout, text)
  }

  /// `layout` of `text` as pixels; nil where nothing of it is seen.
  func draw(_ layout: borrowing TextLayout, _ text: String) -> DrawnText? {
    if layout.unknownCount > 0, !incomplete.contains(text) { incomplete.append(text) }
    return DrawnText(layout, hasPictures: PlainText.mayHavePictures(text))
  }
}
