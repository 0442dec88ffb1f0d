import Foundation
import TesseraMessages
import TesseraPixels
import TestSupport
import Testing

@testable import TesseraLettering

@Suite(.timed) struct CardTests {
  private static func cards(_ lettering: LetteringRenderer, _ step: TileSizeStep) -> [CardDrawings]
  {
    let people = Names.all.enumerated().map { CardParticipant(id: "p\($0)", name: $1) }
    return people.flatMap { person in
      [false, true].map { lettering.personCard(person, step: step, hasPlate: $0) }
    } + [
      lettering.lostCard(step: step),
      lettering.overflowCard(count: 3, people: people, step: step),
      lettering.overflowCard(count: 12345, people: [], step: step),
      lettering.overflowCard(count: -1, people: Array(people.prefix(1)), step: step),
    ]
  }

  @Test(arguments: [40, 80, 113, 160, 320]) func everythingIsInsideTheTile(side: Int) throws {
    let lettering = LetteringRenderer()
    for tile in [
      PixelSize(width: side, height: side), PixelSize(width: side * 2, height: side),
      PixelSize(width: side, height: side * 2),
    ] {
      let step = try #require(TileSizeStep(tile))
      for card in Self.cards(lettering, step) {
        #expect(!card.groups.flatMap(\.items).isEmpty)
        for group in card.groups {
          for item in group.placed(in: tile) {
            let area = PixelRect(
              x: item.x, y: item.y, width: item.size.width, height: item.size.height)
            #expect(PixelRect(tile).intersection(area) == area)
            #expect(area.size.area < tile.area)
          }
        }
      }
    }
  }

  @Test func discsAreCentered() throws {
    let lettering = LetteringRenderer()
    let tile = PixelSize(width: 640, height: 360)
    let step = try #require(TileSizeStep(tile))
    let card = lettering.personCard(CardParticipant(id: "a", name: "Ada Lovelace"), step: step)
    let items = try #require(card.groups.first).placed(in: tile)
    let disc = try #require(items.first)
    #expect(disc.x * 2 + disc.size.width == tile.width)
    #expect(disc.y * 2 + disc.size.height == tile.height)
    #expect(disc.color == ParticipantPalette.color(of: "a"))
    let letters = try #require(items.last)
    #expect(abs(letters.x * 2 + letters.size.width - tile.width) <= 1)
    #expect(letters.color == .white)
  }

  @Test func peopleWithoutNamesHaveASilhouette() throws {
    let lettering = LetteringRenderer()
    let step = try #require(TileSizeStep(PixelSize(width: 320, height: 180)))
    let nameless = lettering.personCard(CardParticipant(id: "a", name: " "), step: step)
    let named = lettering.personCard(CardParticipant(id: "a", name: "A"), step: step)
    #expect(nameless != named)
    #expect(nameless.groups.first?.items.count == 2)
  }

  @Test func lossCardsAndMutedCardsDiffer() throws {
    let lettering = LetteringRenderer()
    let step = try #require(TileSizeStep(PixelSize(width: 320, height: 180)))
    let lost = lettering.lostCard(step: step)
    let badge = try #require(lettering.microphoneOff(step: step))
    let arts = Set(lost.groups.flatMap(\.items).map(\.art))
    #expect(arts.isDisjoint(with: badge.items.map(\.art)))
    // The icon and its text.
    #expect(lost.groups.flatMap(\.items).count == 2)
    let small = try #require(TileSizeStep(PixelSize(width: 142, height: 80)))
    #expect(lettering.lostCard(step: small).groups.flatMap(\.items).count == 1)
  }

  @Test func overflowShowsUpToFourPeople() throws {
    let lettering = LetteringRenderer()
    let people = (0..<9).map { CardParticipant(id: "\($0)", name: "P") }
    let step = try #require(TileSizeStep(PixelSize(width: 320, height: 180)))
    for count in 0...6 {
      let card = lettering.overflowCard(
        count: count, people: Array(people.prefix(count)), step: step)
      #expect(card.groups.flatMap(\.items).count == 2 * min(4, count) + 1)
    }
  }

  @Test func avatarsAreCroppedToADisc() throws {
    let lettering = LetteringRenderer(images: OneImage())
    let tile = PixelSize(width: 320, height: 180)
    let step = try #require(TileSizeStep(tile))
    let person = CardParticipant(id: "a", name: "Ada", avatar: "blue.png")
    let card = lettering.personCard(person, step: step)
    let items = card.groups.flatMap(\.items)
    let image = try #require(items.first.flatMap { lettering.store.image($0.art) })
    #expect(items.count == 1)
    #expect(image.alpha(0, 0) == 0)
    #expect(image.alpha(image.width / 2, 1) > 200)
    let middle = 4 * (image.height / 2 * image.width + image.width / 2)
    #expect(Array(image.bytes[middle..<middle + 4]) == [0, 0, 255, 255])
    #expect(lettering.notes.contains("the avatar is plain."))
  }

  @Test func avatarsThatCannotBeOpenedAreNotedOnce() throws {
    let lettering = LetteringRenderer(images: OneImage())
    let step = try #require(TileSizeStep(PixelSize(width: 320, height: 180)))
    let broken = CardParticipant(id: "a", name: "Ada", avatar: "broken.png")
    let card = lettering.personCard(broken, step: step)
    #expect(card == lettering.personCard(CardParticipant(id: "a", name: "Ada"), step: step))
    _ = lettering.personCard(broken, step: step, hasPlate: true)
    let notes = lettering.notes.filter { $0.commandLine.contains("broken.png") }
    #expect(
      notes == [
        "the picture broken.png ends too early: fetch it again. Initials are shown instead."
      ])
  }

  @Test func plainCardsStayPlain() throws {
    let lettering = LetteringRenderer(theme: .plain)
    let step = try #require(TileSizeStep(PixelSize(width: 320, height: 180)))
    let person = CardParticipant(id: "a", name: "Ada")
    #expect(lettering.personCard(person, step: step).groups.isEmpty)
    #expect(!lettering.lostCard(step: step).groups.isEmpty)
    let rest = lettering.overflowCard(count: 3, people: [person], step: step)
    #expect(rest.groups.flatMap(\.items).count == 1)
    #expect(rest.background == Color(rgb: 0x2d3134))
  }

  @Test func stepsAreAFactorOfAboutTheSquareRootOfTwoApart() {
    for (one, next) in zip(TileSizeStep.sides, TileSizeStep.sides.dropFirst()) {
      #expect(abs(Double(next) / Double(one) - 2.0.squareRoot()) < 0.02)
    }
    for side in 40...2200 {
      let step = TileSizeStep(PixelSize(width: side * 16 / 9, height: side))
      #expect(step.map { $0.side <= side && $0.room <= side * 16 / 9 } == true)
    }
  }
}

/// Returns a blue picture for any name except `broken.png`.
private struct OneImage: ImageLoader {
  func image(at path: String, longestSide: Int) throws(ImageFileError) -> LoadedImage {
    guard path != "broken.png" else { throw ImageFileError(path: path, reason: .truncated) }
    let bytes = (0..<60 * 40).flatMap { _ in [0, 0, 255, 255] as [UInt8] }
    return LoadedImage(
      ColorImage(width: 60, height: 40, bytes: bytes), note: "the avatar is plain.")
  }
}

@Suite("Portraits and plates", .timed) struct PortraitPlateTests {
  @Test("No plate covers a portrait, on tiles of any size")
  func apart() throws {
    let lettering = LetteringRenderer()
    for side in TileSizeStep.sides {
      for (width, height) in [(side, side), (side * 16 / 9, side), (side * 16 / 9 + 9, side + 9)] {
        let tile = PixelSize(width: width, height: height)
        guard let step = TileSizeStep(tile),
          let plate = lettering.namePlate("Ada Okafor", step: step)
        else { continue }
        let person = CardParticipant(id: "ada", name: "Ada Okafor")
        let card = lettering.personCard(person, step: step, hasPlate: true)
        let group = try #require(card.groups.first)
        let (bottom, top) = (
          group.origin(in: tile).y + group.size.height, plate.origin(in: tile).y
        )
        #expect(bottom <= top, "\(width)x\(height)")
        #expect(group.origin(in: tile).y >= 0)
      }
    }
  }
}
