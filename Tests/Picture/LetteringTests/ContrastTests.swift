import TesseraPixels
import TestSupport
import Testing

@testable import TesseraLettering

@Suite(.timed) struct ContrastTests {
  @Test func ratiosMatchTheRecommendation() {
    #expect(abs(Color.white.contrast(to: .black) - 21) < 1e-9)
    #expect(abs(Color(rgb: 0x767676).contrast(to: .white) - 4.54) < 0.01)
    #expect(Color.white.contrast(to: .white) == 1)
  }

  @Test func lettersOnDiscsHaveContrast() {
    for color in ParticipantPalette.colors { #expect(color.contrast(to: .white) >= 4.9) }
    #expect(Set(ParticipantPalette.colors).count == 12)
  }

  @Test func peopleKeepTheirColors() {
    #expect(ParticipantPalette.color(of: "ada") == ParticipantPalette.color(of: "ada"))
    let used = Set((0..<60).map { ParticipantPalette.color(of: "person-\($0)") })
    #expect(used.count >= 11)
  }

  @Test(arguments: Theme.builtIn) func textOnCardsHasContrast(theme: Theme) {
    let backgrounds = ParticipantPalette.colors.map {
      theme.card.color.mixed(with: $0, share: theme.card.tint)
    }
    for background in backgrounds + [theme.card.color] {
      #expect(background.contrast(to: theme.card.textColor) >= 4.5, "\(theme.name)")
    }
  }

  @Test(arguments: Theme.builtIn) func iconsHaveContrast(theme: Theme) {
    for below in [Color.black, .white] {
      let disc = below.mixed(with: theme.badge.color, share: theme.badge.opacity)
      #expect(disc.contrast(to: theme.badge.signColor) >= 4.5, "\(theme.name)")
    }
  }

  /// Over any picture, the worst pixel beside a letter is the plate's own color over that pixel.
  @Test(arguments: Theme.builtIn) func namesHaveContrastOverAnyPicture(theme: Theme) throws {
    let lettering = LetteringRenderer(theme: theme)
    let tile = PixelSize(width: 320, height: 180)
    let step = try #require(TileSizeStep(tile))
    let plate = try #require(lettering.namePlate("Ada Lovelace", step: step))
    var generator = SplitMix64(seed: 6)
    var bare = plate
    bare.items = Array(plate.items.prefix(1))
    let origin = plate.origin(in: tile)
    for below in [Board(tile, .black), Board(tile, .white), Board(tile, noise: &generator)] {
      var board = below
      board.draw(bare, in: PixelRect(tile), lettering.store)
      for y in origin.y + 6..<origin.y + plate.size.height - 6 {
        for x in origin.x + 6..<origin.x + plate.size.width - 6 {
          #expect(board[x, y].contrast(to: theme.plate.textColor) >= 4.5)
        }
      }
      board.draw(plate, in: PixelRect(tile), lettering.store)
      #expect(board.pixels != below.pixels)
    }
  }
}
