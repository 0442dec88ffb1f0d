internal import TesseraPixels

/// The measures of a name plate in pixels.
private struct PlateMetrics {
  let height: Int
  let padding: Int
  /// The distance from the plate's left edge to the text.
  let start: Int
  let signSide: Int
  /// The distance from the top to the letters' baseline.
  let baseline: Double
  /// The largest width of the text.
  let textWidth: Int

  init(_ step: TileSizeStep, hasSign: Bool, accent: Int) {
    let size = step.textSize
    height = step.plateHeight
    padding = Int((size * 0.66).rounded())
    signSide = hasSign ? Int((size * 1.2).rounded()) : 0
    start = accent + padding + (hasSign ? signSide + Int((size * 0.5).rounded()) : 0)
    // Capitals, which are 0.714 of the size high, are centered vertically.
    baseline = Double(height) / 2 + size * 0.357
    textWidth = step.room - 2 * step.margin - start - padding
  }
}

extension LetteringRenderer {
  /// Draws the plate with `name`; `nil` if there is nothing to show or the tile is too small to
  /// read it.
  package func namePlate(_ name: String, kind: TileContentKind = .person, step: TileSizeStep)
    -> DrawingGroup?
  {
    guard step.showsNames else { return nil }
    let accent = theme.plate.accent == nil ? 0 : max(2, Int(step.textSize * 0.24))
    let measures = PlateMetrics(step, hasSign: kind == .screen, accent: accent)
    let text = plateText(name, measures, step)
    guard text != nil || kind == .screen else { return nil }
    let left = text.map { min(0, $0.ink.x) } ?? 0
    let width = text.map { max($0.ink.maxX, Int($0.width.rounded(.up))) - left } ?? 0
    let end = text == nil ? accent + measures.padding + measures.signSide : measures.start + width
    let size = PixelSize(width: end + measures.padding, height: measures.height)
    var items = plateShape(size, accent: accent)
    if kind == .screen {
      items += sign(
        .screen, side: measures.signSide, color: theme.plate.textColor,
        x: accent + measures.padding, y: (measures.height - measures.signSide) / 2)
    }
    if let text {
      items += self.items(
        text, color: theme.plate.textColor, x: measures.start - left,
        y: top(of: text, measures), limits: PixelRect(size))
    }
    let (x, y) = offset(theme.plate.corner, margin: step.margin)
    return DrawingGroup(anchor: theme.plate.corner, x: x, y: y, size: size, items: items)
  }

  /// Draws the name for the plate, in smaller letters if they are too high or deep for it.
  private func plateText(
    _ name: String, _ measures: PlateMetrics, _ step: TileSizeStep
  ) -> RenderedText? {
    guard measures.textWidth >= Int(step.textSize * 1.5) else { return nil }
    var style = style(step.textSize, theme.plate.weight)
    let width = Double(measures.textWidth)
    var text = line(name, style, maximumWidth: width)
    if let drawn = text, drawn.ink.height > measures.height - 2 {
      style.size *= Double(measures.height - 4) / Double(drawn.ink.height)
      text = line(name, style, maximumWidth: width)
    }
    return text
  }

  /// Returns the row at which the text's layout begins: on the common baseline, or moved as far as
  /// needed to fit.
  private func top(of text: RenderedText, _ measures: PlateMetrics) -> Int {
    let top = Int((measures.baseline - text.baseline).rounded())
    let (over, under) = (1 - (top + text.ink.y), top + text.ink.maxY - (measures.height - 1))
    return top + max(0, over) - max(0, under)
  }

  private func plateShape(_ size: PixelSize, accent: Int) -> [DrawingGroup.Item] {
    let plate = theme.plate
    let radius = plate.roundness * Double(size.height) / 2
    let items = box(
      PixelRect(size), radius: radius, color: plate.color, opacity: plate.opacity)
    guard let color = plate.accent else { return items }
    let bar = PixelRect(x: 0, y: 0, width: accent, height: size.height)
    return items + box(bar, radius: 0, color: color, opacity: 1)
  }

  /// Returns the offset from the anchor `corner` that gives a distance of `margin` pixels to the
  /// edges.
  func offset(_ corner: AnchorPoint, margin: Int) -> (x: Int, y: Int) {
    ((1 - corner.halvesX) * margin, (1 - corner.halvesY) * margin)
  }
}
