internal import TesseraPixels

extension LetteringRenderer {
  /// Draws the card for `count` participants who have no tile of their own: `+count`, and above it
  /// the discs of the first four of `people` if the tile is large enough.
  package func overflowCard(count: Int, people: [CardParticipant], step: TileSizeStep)
    -> CardDrawings
  {
    let shown = step.side >= 160 && !theme.card.isBlank ? Array(people.prefix(4)) : []
    let share = shown.isEmpty ? 0.34 : 0.19
    let text = line(
      "+\(max(0, count))", style(Double(step.side) * share, .regular, hasEvenDigits: true),
      maximumWidth: Double(step.room) * 0.9)
    let pile = pile(shown, step)
    let gap = pile.items.isEmpty ? 0 : even(Double(step.side) * 0.08)
    let width = max(pile.size.width, text?.ink.width ?? 0)
    let size = PixelSize(
      width: max(2, width), height: max(2, pile.size.height + gap + (text?.ink.height ?? 0)))
    var items = pile.items.map { item in
      var item = item
      item.x += (width - pile.size.width) / 2
      return item
    }
    if let text {
      items += self.items(
        text, color: theme.card.textColor, x: (width - text.ink.width) / 2 - text.ink.x,
        y: pile.size.height + gap - text.ink.y, limits: PixelRect(size))
    }
    return CardDrawings(
      background: theme.card.color,
      groups: [DrawingGroup(anchor: .center, x: 0, y: 0, size: size, items: items)])
  }

  /// Draws overlapping discs in a row; no disc covers the letters of the one before.
  private func pile(
    _ people: [CardParticipant], _ step: TileSizeStep
  ) -> (items: [DrawingGroup.Item], size: PixelSize) {
    guard !people.isEmpty else { return ([], .zero) }
    let diameter = even(Double(step.side) * 0.24)
    let advance = even(Double(diameter) * 0.88)
    let ring = max(1.5, Double(diameter) * 0.055)
    let radius = Double(diameter) / 2
    let next = Cutout(x: radius + Double(advance), y: radius, radius: radius + ring)
    let items = people.enumerated().flatMap { index, person in
      portrait(
        person, diameter: diameter, x: index * advance, y: 0, share: 0.38,
        cutout: index + 1 < people.count ? next : nil)
    }
    let width = diameter + (people.count - 1) * advance
    return (items, PixelSize(width: width, height: diameter))
  }
}
