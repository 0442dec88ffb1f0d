extension Lettering {
  /// Lines of plain text, centered in `width` pixels, broken where they are longer, at most
  /// `lines` of them. Nil where nothing is seen.
  func wrapped(_ text: [String], _ style: TextStyle, width: Double, lines: Int) -> DrawnText? {
    let (joined, width) = wrapping(text, style, width: width, lines: lines)
    let flow = TextLayout.Flow.paragraph(width: width, lines: lines)
    return draw(TextLayout(joined, style, flow, fonts: fonts), joined)
  }

  /// How lines of plain text are set in `width` pixels: where there are more than `lines` of them,
  /// they run on as one paragraph, whose end will be cut; lines that have to be broken get the
  /// width in which they come out about as long as each other.
  func wrapping(
    _ text: [String], _ style: TextStyle, width: Double, lines: Int
  ) -> (text: String, width: Double) {
    var joined = text.joined(separator: "\n")
    func count(_ width: Double) -> Int {
      // One line more, to see whether it would be needed.
      let flow = TextLayout.Flow.paragraph(width: width, lines: lines + 1)
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
