package import TesseraMessages
internal import TesseraPixels

extension Theme {
  /// The least contrast at which text is readable for most people: WCAG 2.1, level AA.
  package static let leastContrast = 4.5

  /// The contrast of names on their plates over the least favorable picture.
  package var plateContrast: Double {
    [Color.black, .white].map { below in
      below.mixed(with: plate.color, share: plate.opacity).contrast(to: plate.textColor)
    }.min() ?? 1
  }

  /// The warnings about text of this theme that is hard to read, as sentences.
  package var notes: [Message] {
    func note(_ what: String, _ contrast: Double) -> [Message] {
      guard contrast < Self.leastContrast else { return [] }
      let shown = (contrast * 10).rounded(.down) / 10
      return [
        "in the theme \"\(name)\", \(what) have a contrast of \(shown):1 at worst and are hard to "
          + "read: from \(Self.leastContrast):1 on they are not."
      ]
    }
    let tiles = Palette.colors.map { card.color.mixed(with: $0, share: card.tint) }
    let cardContrast = (tiles + [card.color]).map { $0.contrast(to: card.textColor) }.min() ?? 1
    return note("names on their plates", plateContrast) + note("words on cards", cardContrast)
  }
}
