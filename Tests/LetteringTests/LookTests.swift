import Foundation
import TesseraLettering
import TesseraPixels
import TestSupport
import Testing

/// Sheets to look at, written to the folder that TESSERA_LOOK names.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["TESSERA_LOOK"] != nil))
struct LookTests {
  private let folder = ProcessInfo.processInfo.environment["TESSERA_LOOK"] ?? ""

  @Test(arguments: Theme.builtIn) func namesOfAllScripts(theme: Theme) throws {
    let lettering = Lettering(theme: theme)
    let tile = PixelSize(width: 400, height: 226)
    var board = Board(PixelSize(width: 4 * 410 + 10, height: 5 * 236 + 10), theme.background)
    let step = try #require(TileStep(tile))
    for (index, name) in Names.all.prefix(20).enumerated() {
      let area = PixelRect(
        x: 10 + index % 4 * 410, y: 10 + index / 4 * 236, width: tile.width, height: tile.height)
      draw(name, on: &board, in: area, step, lettering, hasPicture: index % 2 == 0)
    }
    try board.write(to: "\(folder)/names-\(theme.name).png")
    #expect(board[0, 0] == theme.background)
  }

  @Test(arguments: Theme.builtIn) func cardsOfAllSizes(theme: Theme) throws {
    let lettering = Lettering(theme: theme)
    for side in [80, 160, 320, 720, 1080] {
      let tile = PixelSize(width: side * 16 / 9, height: side)
      let step = try #require(TileStep(tile))
      let cards = Self.cards(lettering, step)
      let columns = side > 400 ? 2 : cards.count
      let rows = (cards.count + columns - 1) / columns
      let gap = max(8, side / 30)
      var board = Board(
        PixelSize(
          width: columns * (tile.width + gap) + gap, height: rows * (tile.height + gap) + gap),
        theme.background)
      for (index, card) in cards.enumerated() {
        let area = PixelRect(
          x: gap + index % columns * (tile.width + gap),
          y: gap + index / columns * (tile.height + gap), width: tile.width, height: tile.height)
        let radius = theme.pixels(theme.cornerRadius, on: PixelSize(width: 1920, height: 1080))
        board.fill(area, radius: radius) { _, _ in card.1.background }
        for group in card.1.groups { board.draw(group, in: area, lettering.store) }
        let decorations = lettering.decorations(name: card.0, step: step)
        board.draw(decorations.namePlate, in: area, lettering.store)
        if index == 0 { board.draw(decorations.microphoneOff, in: area, lettering.store) }
      }
      try board.write(to: "\(folder)/cards-\(theme.name)-\(side).png")
      #expect(board[0, 0] == theme.background)
    }
  }

  private static func cards(
    _ lettering: Lettering, _ step: TileStep
  ) -> [(String, CardArt)] {
    let people = Names.all.enumerated().map { CardPerson(id: "p\($0)", name: $1) }
    return [
      (
        "Ada Lovelace",
        lettering.personCard(CardPerson(id: "ada", name: "Ada Lovelace"), step: step)
      ),
      ("", lettering.personCard(people[1], step: step, showsName: true)),
      ("Grace Hopper", lettering.lostCard(step: step)),
      ("", lettering.overflowCard(count: 12, people: people, step: step)),
      ("", lettering.personCard(CardPerson(id: "x", name: ""), step: step)),
      ("Screen", lettering.screenCard(step: step)),
    ]
  }

  private func draw(
    _ name: String, on board: inout Board, in area: PixelRect, _ step: TileStep,
    _ lettering: Lettering, hasPicture: Bool
  ) {
    let theme = lettering.theme
    let radius = theme.pixels(theme.cornerRadius, on: PixelSize(width: 1920, height: 1080))
    let card = lettering.personCard(CardPerson(id: name, name: name), step: step)
    board.fill(area, radius: radius) { x, y in
      hasPicture
        ? Color(
          red: UInt8(60 + 150 * x / area.width), green: UInt8(90 + 110 * y / area.height),
          blue: UInt8(120 + 60 * (x + y) / (area.width + area.height)))
        : card.background
    }
    if !hasPicture {
      for group in card.groups { board.draw(group, in: area, lettering.store) }
    }
    let kind: TileKind = name == "Ada Lovelace" ? .screen : .person
    let decorations = lettering.decorations(name: name, kind: kind, step: step)
    board.draw(decorations.namePlate, in: area, lettering.store)
    board.draw(decorations.microphoneOff, in: area, lettering.store)
  }
}
