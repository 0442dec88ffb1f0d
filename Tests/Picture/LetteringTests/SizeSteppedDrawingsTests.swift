import Foundation
import TesseraLettering
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct SizeSteppedDrawingsTests {
  private let steps = TileSizeStep.steps(
    from: PixelSize(width: 100, height: 60), to: PixelSize(width: 1000, height: 340))

  @Test func stepsAreBetweenTheSmallestAndTheLargestTile() {
    #expect(Set(steps.map(\.side)) == [57, 80, 113, 160, 226, 320])
    #expect(steps.count == 12)
    #expect(TileSizeStep.steps(from: .zero, to: .zero).isEmpty)
  }

  @Test func tilesShowTheLargestStepThatFits() throws {
    let lettering = LetteringRenderer()
    let name = String(repeating: "Maximiliane ", count: 20)
    let art = SizeSteppedDrawings(steps) { step in
      [lettering.namePlate(name, step: step)].compactMap(\.self)
    }
    for tile in [
      PixelSize(width: 113, height: 113), PixelSize(width: 159, height: 400),
      PixelSize(width: 402, height: 227), PixelSize(width: 280, height: 226),
      PixelSize(width: 2000, height: 1000),
    ] {
      let plate = try #require(art.groups(for: tile).first)
      let origin = plate.origin(in: tile)
      #expect(origin.x + plate.size.width < tile.width)
      let least = min(tile.width, 320) / 2
      #expect(plate.size.width > least)
    }
    #expect(art.groups(for: PixelSize(width: 112, height: 500)).isEmpty)
    let json = try JSONEncoder().encode(art)
    #expect(try JSONDecoder().decode(SizeSteppedDrawings.self, from: json) == art)
  }

  @Test func equalGroupsShareASprite() throws {
    let lettering = LetteringRenderer()
    let step = try #require(TileSizeStep(PixelSize(width: 320, height: 180)))
    let plate = try #require(lettering.namePlate("Ada 🎉", step: step))
    var other = plate
    other.anchor = .topRight
    let sprites = SpriteSet([plate, other], from: lettering.store)
    let sprite = try #require(sprites[plate])
    #expect(sprites[other] === sprite)
    #expect(sprite.size == plate.size)
    let badge = try #require(lettering.microphoneOff(step: step))
    #expect(sprites[badge] == nil)
  }
}
