package import TesseraPixels

/// The content of a tile without a picture: one color and a few drawings in its middle, never an
/// image as large as the tile.
package struct CardDrawings: Hashable, Sendable, Codable {
  /// The color of the whole tile.
  package var background: Color
  /// The groups of drawings, back to front.
  package var groups: [DrawingGroup]
}

/// The participant shown on a card.
package struct CardParticipant: Hashable, Sendable, Codable {
  /// The participant's identifier, from which the color is derived.
  package var id: String
  /// The participant's name; may be empty.
  package var name: String
  /// The path of a picture of the participant; `nil` if there is none.
  package var avatar: String?

  package init(id: String, name: String, avatar: String? = nil) {
    self.id = id
    self.name = name
    self.avatar = avatar
  }
}

extension LetteringRenderer {
  /// Draws the card of a participant without a picture.
  ///
  /// The card shows the avatar, otherwise the initials on the participant's own color, otherwise a
  /// silhouette. If `hasPlate`, the portrait is placed above the name plate.
  package func personCard(
    _ person: CardParticipant, step: TileSizeStep, hasPlate: Bool = false
  ) -> CardDrawings {
    guard !theme.card.isBlank else { return CardDrawings(background: theme.card.color, groups: []) }
    let diameter = even(Double(step.side) * max(0.1, min(0.8, theme.card.disc)))
    let items = portrait(person, diameter: diameter, x: 0, y: 0)
    let size = PixelSize(width: diameter, height: diameter)
    let lift = hasPlate ? lift(of: diameter, over: step) : 0
    return CardDrawings(
      background: tileColor(of: person.id),
      groups: [DrawingGroup(anchor: .center, x: 0, y: -lift, size: size, items: items)])
  }

  /// Returns the number of pixels by which a disc in the middle of a tile moves up to make room for
  /// a plate at the bottom.
  private func lift(of diameter: Int, over step: TileSizeStep) -> Int {
    guard step.showsNames, theme.plate.corner.fractionY == 1 else { return 0 }
    let (bottom, top) = (
      (step.side + diameter) / 2, step.side - step.margin - step.plateHeight - 2
    )
    return min(max(0, bottom - top), (step.side - diameter) / 2)
  }

  /// Draws the card of a lost recording: torn film, and text if the tile is large enough.
  package func lostCard(step: TileSizeStep) -> CardDrawings {
    let side = even(Double(step.side) * 0.3)
    let room = Double(step.room) * 0.8
    let text =
      step.side >= 160
      ? line("Recording lost", style(step.textSize * 1.05), maximumWidth: room)
        .flatMap { $0.isCut ? nil : $0 }
      : nil
    let gap = text == nil ? 0 : even(step.textSize * 0.9)
    let width = max(side, text?.ink.width ?? 0)
    let height = side + gap + (text?.ink.height ?? 0)
    var items = sign(
      .tornFilm, side: side, color: theme.card.textColor, x: (width - side) / 2, y: 0)
    if let text {
      let limits = PixelRect(x: 0, y: 0, width: width, height: height)
      items += self.items(
        text, color: theme.card.textColor, x: (width - text.ink.width) / 2 - text.ink.x,
        y: side + gap - text.ink.y, limits: limits)
    }
    let size = PixelSize(width: width, height: height)
    return CardDrawings(
      background: theme.card.color,
      groups: [DrawingGroup(anchor: .center, x: 0, y: 0, size: size, items: items)])
  }

  /// Returns the color of a participant's tile: the theme's, mixed with some of the participant's
  /// own.
  private func tileColor(of id: String) -> Color {
    theme.card.color.mixed(with: ParticipantPalette.color(of: id), share: theme.card.tint)
  }

  /// Returns the nearest even number of pixels, at least 2.
  func even(_ length: Double) -> Int { max(2, Int((length / 2).rounded()) * 2) }
}
