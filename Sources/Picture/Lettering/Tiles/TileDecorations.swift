package import TesseraPixels

/// A frame along a tile's inner edge.
package struct HighlightFrame: Hashable, Sendable, Codable {
  /// The thickness in pixels.
  package var width: Double
  package var color: Color
}

/// The kind of content of a tile, which its plate indicates.
package enum TileContentKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// The camera of a participant.
  case person
  /// The shared screen of a participant.
  case screen
}

extension LetteringRenderer {
  /// Returns the frame around the active speaker.
  package func highlight(step: TileSizeStep) -> HighlightFrame {
    let width = theme.highlight.width * (Double(step.side) / 480).squareRoot()
    return HighlightFrame(width: max(1.5, width), color: theme.highlight.color)
  }

  /// Draws the muted-microphone sign; `nil` if the tile is too small to see it.
  package func microphoneOff(step: TileSizeStep) -> DrawingGroup? {
    guard step.showsSigns else { return nil }
    let diameter = step.plateHeight
    let side = Int((Double(diameter) * 0.29).rounded()) * 2 + diameter % 2
    let inset = (diameter - side) / 2
    let margin = step.margin
    return DrawingGroup(
      anchor: .topRight, x: -margin, y: margin,
      size: PixelSize(width: diameter, height: diameter),
      items: badge(diameter)
        + sign(.microphoneOff, side: side, color: theme.badge.signColor, x: inset, y: inset))
  }

  private func badge(_ diameter: Int) -> [DrawingGroup.Item] {
    let area = PixelRect(x: 0, y: 0, width: diameter, height: diameter)
    let isSquare = theme.plate.roundness == 0
    return box(
      area, radius: isSquare ? 0 : Double(diameter) / 2, color: theme.badge.color,
      opacity: theme.badge.opacity)
  }
}
