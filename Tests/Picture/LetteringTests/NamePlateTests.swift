import TesseraPixels
import TestSupport
import Testing

@testable import TesseraLettering

@Suite(.timed) struct NamePlateTests {
  private static let tiles = [
    PixelSize(width: 201, height: 113), PixelSize(width: 113, height: 201),
    PixelSize(width: 640, height: 360),
  ]

  @Test(arguments: tiles) func everyNameIsInsideItsPlateAndThePlateInsideItsTile(
    tile: PixelSize
  ) throws {
    let lettering = LetteringRenderer()
    let step = try #require(TileSizeStep(tile))
    for name in Names.all {
      guard let plate = lettering.namePlate(name, step: step) else {
        #expect(
          name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .lowercaseLetter })
        continue
      }
      let origin = plate.origin(in: tile)
      #expect(origin.x >= 4 && origin.y >= 4, "\(name)")
      #expect(origin.x + plate.size.width <= tile.width - 4, "\(name)")
      #expect(origin.y + plate.size.height <= tile.height - 4, "\(name)")
      let inner = PixelRect(plate.size)
      for item in plate.items {
        let area = PixelRect(
          x: item.x, y: item.y, width: item.size.width, height: item.size.height)
        #expect(inner.intersection(area) == area, "\(name)")
        #expect(lettering.store.packed[item.art]?.size == item.size)
      }
      // All parts keep a distance to the plate's edges.
      for item in plate.items.dropFirst() {
        #expect(item.x >= 3 && item.x + item.size.width <= plate.size.width - 3, "\(name)")
        #expect(item.y >= 1 && item.y + item.size.height <= plate.size.height - 1, "\(name)")
      }
    }
  }

  @Test func theRestOfTheFrameIsUntouched() throws {
    let lettering = LetteringRenderer()
    let tile = PixelSize(width: 480, height: 270)
    let step = try #require(TileSizeStep(tile))
    for name in Names.hostile {
      let plate = lettering.namePlate(name, step: step)
      let before = Board(tile, Color(rgb: 0x336699))
      var board = before
      board.draw(plate, in: PixelRect(tile), lettering.store)
      let area = plate.map { plate in
        let origin = plate.origin(in: tile)
        return PixelRect(
          x: origin.x, y: origin.y, width: plate.size.width, height: plate.size.height)
      }
      var changed = 0
      for y in 0..<tile.height {
        for x in 0..<tile.width where board[x, y] != before[x, y] {
          changed += 1
          let isInside = area.map { x >= $0.x && x < $0.maxX && y >= $0.y && y < $0.maxY }
          #expect(isInside == true)
        }
      }
      #expect((changed > 0) == (plate != nil))
    }
  }

  @Test func platesOfOneTileHaveOneHeight() throws {
    let lettering = LetteringRenderer()
    let step = try #require(TileSizeStep(PixelSize(width: 320, height: 180)))
    let heights = Set(
      Names.ordinary.compactMap { lettering.namePlate($0, step: step)?.size.height })
    #expect(heights.count == 1)
  }

  @Test func namesOfSeveralScriptsDiffer() throws {
    let lettering = LetteringRenderer()
    let step = try #require(TileSizeStep(PixelSize(width: 640, height: 360)))
    let plates = Names.ordinary.map { lettering.namePlate($0, step: step) }
    #expect(Set(plates).count == Names.ordinary.count)
    #expect(plates.allSatisfy { $0 != nil })
  }

  @Test(arguments: ["", "   ", "\n\t\u{0}", "\u{202e}\u{202c}", "\u{ad}"])
  func emptyNamesHaveNoPlate(name: String) throws {
    let lettering = LetteringRenderer()
    let step = try #require(TileSizeStep(PixelSize(width: 640, height: 360)))
    #expect(lettering.namePlate(name, step: step) == nil)
    let screen = try #require(lettering.namePlate(name, kind: .screen, step: step))
    #expect(screen.items.count == 2)
  }

  @Test func longNamesAreCutAtAGrapheme() throws {
    let lettering = LetteringRenderer()
    let step = try #require(TileSizeStep(PixelSize(width: 320, height: 180)))
    let family = "👨‍👩‍👧‍👦"
    let plate = try #require(
      lettering.namePlate(String(repeating: family, count: 60), step: step))
    // Complete emoji, and letters for the ellipsis: a divided family emoji would leave a smaller
    // picture.
    #expect(plate.items.count == 3)
    #expect(plate.size.width > 240)
    let text = try #require(lettering.namePlate(String(repeating: "Wide ", count: 80), step: step))
    #expect(text.size.width <= 320 - 16)
  }

  @Test func emojiKeepTheirColors() throws {
    let lettering = LetteringRenderer()
    let step = try #require(TileSizeStep(PixelSize(width: 640, height: 360)))
    let plate = try #require(lettering.namePlate("🟥🟩🟦", step: step))
    let images = plate.items.compactMap { lettering.store.image($0.art) }
    let image = try #require(images.first)
    #expect(images.count == 1)
    func count(_ isMost: (UInt8, UInt8, UInt8) -> Bool) -> Int {
      stride(from: 0, to: image.bytes.count, by: 4).count {
        image.bytes[$0 + 3] > 200
          && isMost(image.bytes[$0], image.bytes[$0 + 1], image.bytes[$0 + 2])
      }
    }
    #expect(count { $0 > $1 && $0 > $2 } > 50)
    #expect(count { $1 > $0 && $1 > $2 } > 50)
    #expect(count { $2 > $0 && $2 > $1 } > 50)
  }

  @Test func smallTilesHideNamesFirstThenIcons() throws {
    let lettering = LetteringRenderer()
    let tiles = [
      (96, 96, false, true), (150, 80, true, true), (113, 113, true, true),
      (128, 72, true, false), (226, 56, false, false),
    ]
    for (width, height, hasName, hasSign) in tiles {
      let step = try #require(TileSizeStep(PixelSize(width: width, height: height)))
      #expect((lettering.namePlate("Ada", step: step) != nil) == hasName)
      #expect((lettering.microphoneOff(step: step) != nil) == hasSign)
      #expect(lettering.highlight(step: step).width >= 1.5)
    }
    #expect(TileSizeStep(PixelSize(width: 1000, height: 39)) == nil)
    #expect(TileSizeStep(PixelSize(width: 0, height: 0)) == nil)
  }

  /// The small tile of `pip` on canvases of 1920x1080, 1280x720 and 1080x1920.
  @Test(arguments: [(518, 292), (346, 194), (292, 518)])
  func aPlateCoversAtMostAnEighthOfASmallTile(width: Int, height: Int) throws {
    let step = try #require(TileSizeStep(PixelSize(width: width, height: height)))
    let plate = try #require(LetteringRenderer().namePlate("Ada", step: step))
    #expect(plate.size.height * 8 <= height)
  }

  @Test func severalThreadsDrawConcurrently() async throws {
    let step = try #require(TileSizeStep(PixelSize(width: 320, height: 180)))
    let plates = await withTaskGroup(of: [DrawingGroup?].self) { group in
      for _ in 0..<24 {
        group.addTask {
          let lettering = LetteringRenderer()
          return Names.all.map { lettering.namePlate($0, step: step) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(plates.count == 24 && Set(plates).count == 1)
  }

  @Test func repeatedDrawingsAreEqual() throws {
    let step = try #require(TileSizeStep(PixelSize(width: 640, height: 360)))
    let (one, two) = (LetteringRenderer(), LetteringRenderer())
    for name in Names.all {
      #expect(one.namePlate(name, step: step) == two.namePlate(name, step: step))
    }
    #expect(one.store.encoded() == two.store.encoded())
  }
}
