extension LetteringRenderer {
  /// Draws lines of plain text, centered in `width` pixels and wrapped to at most `lines` lines;
  /// `nil` if nothing is visible.
  func wrapped(_ text: [String], _ style: TextStyle, width: Double, lines: Int) -> RenderedText? {
    let (joined, width) = wrapping(text, style, width: width, lines: lines)
    let flow = TextLayout.Wrapping.paragraph(width: width, lines: lines)
    return draw(TextLayout(joined, style, flow, fonts: fonts), joined)
  }

  /// Chooses text and width for wrapping lines of plain text in `width` pixels.
  ///
  /// If they need more than `lines` lines, they are joined to one paragraph, whose end will be cut.
  /// Lines that must be wrapped get the width at which they are about equally long.
  func wrapping(
    _ text: [String], _ style: TextStyle, width: Double, lines: Int
  ) -> (text: String, width: Double) {
    var joined = text.joined(separator: "\n")
    func count(_ width: Double) -> Int {
      // One line more than allowed shows whether the text needs it.
      let flow = TextLayout.Wrapping.paragraph(width: width, lines: lines + 1)
      return TextLayout(joined, style, flow, fonts: fonts).lineCount
    }
    var needed = count(width)
    if needed > lines, text.count > 1 {
      joined = text.joined(separator: " ")
      needed = count(width)
    }
    let isBroken = needed > 1 && needed <= lines && (needed > text.count || text.count == 1)
    guard isBroken else { return (joined, width) }
    var (tooNarrow, best) = (width / Double(needed + 1), width)
    for _ in 0..<8 {
      let middle = (tooNarrow + best) / 2
      if count(middle) <= needed { best = middle } else { tooNarrow = middle }
    }
    return (joined, best.rounded(.up))
  }
}
