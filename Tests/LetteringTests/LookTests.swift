import Foundation
import TesseraLettering
import TesseraPixels
import TesseraTimeline
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

  @Test(arguments: Theme.builtIn) func callOfNine(theme: Theme) throws {
    let canvas = PixelSize(width: 1280, height: 720)
    let lettering = Lettering(theme: theme)
    var board = Board(canvas, theme.background)
    let gap = Int(theme.pixels(theme.gap, on: canvas).rounded())
    let tile = PixelSize(width: (1280 - 4 * gap) / 3, height: (720 - 4 * gap) / 3)
    let step = try #require(TileStep(tile))
    let radius = theme.pixels(theme.cornerRadius, on: canvas)
    for index in 0..<9 {
      let area = PixelRect(
        x: gap + index % 3 * (tile.width + gap), y: gap + index / 3 * (tile.height + gap),
        width: tile.width, height: tile.height)
      let name = Names.all[index]
      let person = CardPerson(id: name, name: name)
      let shows = theme.plate.isShown
      let card =
        index == 4
        ? lettering.lostCard(step: step)
        : index == 8
          ? lettering.overflowCard(
            count: 17, people: Names.all.map { CardPerson(id: $0, name: $0) }, step: step)
          : lettering.personCard(person, step: step, showsName: !shows)
      let still = [0, 1, 3, 6].contains(index) ? try self.still(index, tile) : nil
      let isSpeaking = index == 1 && theme.highlight.isShown
      let frame = lettering.highlight(step: step)
      board.fill(area, radius: radius) { x, y in
        let edge = min(x, y, tile.width - 1 - x, tile.height - 1 - y)
        if isSpeaking, Double(edge) < frame.width { return frame.color }
        guard let still else { return card.background }
        let at = 3 * (y * tile.width + x)
        return Color(red: still[at], green: still[at + 1], blue: still[at + 2])
      }
      if still == nil {
        for group in card.groups { board.draw(group, in: area, lettering.store) }
      }
      guard shows, index != 8 else { continue }
      let decorations = lettering.decorations(
        name: name, kind: index == 6 ? .screen : .person, step: step)
      board.draw(decorations.namePlate, in: area, lettering.store)
      if index % 3 == 0 { board.draw(decorations.microphoneOff, in: area, lettering.store) }
    }
    let caption = lettering.captions(
      [
        CaptionCue(
          from: .zero, to: MediaTime(seconds: 1),
          lines: [
            "Good morning everybody, shall we begin with the agenda? 🎉 There is a lot to get through."
          ])
      ], on: canvas, style: theme.name == "light" ? .outline : .box, clearance: 60)
    for group in caption.flatMap(\.groups) {
      board.draw(group, in: PixelRect(canvas), lettering.store)
    }
    board.draw(
      lettering.clock(on: canvas).group("1:02:03"), in: PixelRect(canvas), lettering.store)
    try board.write(to: "\(folder)/call-\(theme.name).png")
    var title = Board(canvas, theme.background)
    for group in lettering.titleCard(
      "Weekly sync of the whole engineering department\nMonday, 12 May 2026\nBerlin · 東京 · القاهرة",
      on: canvas, from: .zero, to: MediaTime(seconds: 3)
    ).groups {
      title.draw(group, in: PixelRect(canvas), lettering.store)
    }
    try title.write(to: "\(folder)/title-\(theme.name).png")
    #expect(board.size == canvas)
  }

  @Test func hostileNames() throws {
    let lettering = Lettering()
    let tile = PixelSize(width: 400, height: 226)
    let step = try #require(TileStep(tile))
    var board = Board(PixelSize(width: 3 * 410 + 10, height: 4 * 236 + 10), .black)
    for (index, name) in Names.hostile.enumerated() {
      let area = PixelRect(
        x: 10 + index % 3 * 410, y: 10 + index / 3 * 236, width: tile.width, height: tile.height)
      draw(name, on: &board, in: area, step, lettering, hasPicture: false)
    }
    try board.write(to: "\(folder)/hostile.png")
    #expect(board[0, 0] == .black)
  }

  /// A picture of a real call that fills a tile.
  private func still(_ index: Int, _ tile: PixelSize) throws -> [UInt8]? {
    let names = [
      0: "person_640x360_25_h264_noaudio_a.mp4", 1: "person_1280x720_30_h264_aac.mp4",
      3: "person_640x360_50_h264_noaudio.mp4", 6: "screenshare_1152x782_60_vp9.webm",
    ]
    guard SharedMedia.isPresent, let name = names[index] else { return nil }
    let size = "\(tile.width):\(tile.height)"
    return [UInt8](
      try Tool.ffmpeg([
        "-ss", "2", "-i", SharedMedia.path("clean/\(name)"), "-frames:v", "1", "-vf",
        "scale=\(size):force_original_aspect_ratio=increase,crop=\(size)", "-f", "rawvideo",
        "-pix_fmt", "rgb24", "-",
      ]))
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
