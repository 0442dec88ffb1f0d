import TestSupport
import Testing

@testable import TesseraLayout

@Suite("Pictures around faces", .timed) struct FramingTests {
  private let wide = 16.0 / 9

  private func crop(_ framing: Framing, in tile: Size) -> Rect {
    PictureFit.Placement(
      aspectRatio: wide, in: tile.bounds, coverage: 1, focus: framing
    ).crop
  }

  @Test("Eyes are at half of the width and two fifths of the height")
  func eyes() {
    // A flatter tile than the picture: a part of the height is cropped.
    let crop = crop(
      Framing(Point(x: 0.5, y: 0.5), line: Framing.eyeLine), in: Size(width: 400, height: 150))
    #expect(abs((0.5 - crop.y) / crop.height - 0.4) < 1e-9)
    let upright = self.crop(
      Framing(Point(x: 0.6, y: 0.3), line: Framing.eyeLine), in: Size(width: 90, height: 160))
    #expect(abs((0.6 - upright.x) / upright.width - 0.5) < 1e-9)
    #expect(upright.height == 1)
  }

  @Test(
    "Nothing beyond the picture's edge is shown, even with a face near the edge",
    arguments: [1, 1.6])
  func edges(zoom: Double) {
    for (x, y) in [(0.0, 0.0), (1, 1), (0.02, 0.9), (0.97, 0.05)] {
      for tile in [Size(width: 90, height: 160), Size(width: 100, height: 100)] {
        let crop = crop(Framing(Point(x: x, y: y), line: 0.4, zoom: zoom), in: tile)
        #expect(crop.x >= 0 && crop.y >= 0 && crop.maxX <= 1 + 1e-12 && crop.maxY <= 1 + 1e-12)
        let shape = crop.width * wide / crop.height
        #expect(abs(shape - tile.aspectRatio) < 1e-9, "pixels stay square")
      }
    }
  }

  @Test("A single person fills a portrait or square canvas if the face is known")
  func filled() throws {
    for canvas in [
      Size(width: 1080, height: 1920), Size(width: 1080, height: 1080),
      Size(width: 1080, height: 1350),
    ] {
      var item = LayoutItem(id: 0, aspectRatio: wide)
      item.isFramed = true
      for name in ["grid", "auto", "speaker", "speaker:strip=none"] {
        var engine = try LayoutEngine(policy: try LayoutCatalog.policy(name), canvas: canvas)
        let tile = try #require(engine.place([item]).first)
        let place = PictureFit.Placement(
          aspectRatio: wide, in: tile.frame, coverage: tile.coverage ?? 0)
        let share = place.destination.size.area / canvas.area
        #expect(share > 0.99, "\(name) on \(canvas)")
      }
    }
  }

  @Test("A single camera covers a portrait canvas in every layout, a screen never")
  func alone() throws {
    let canvas = Size(width: 1080, height: 1920)
    for name in LayoutCatalog.names + ["speaker:strip=none"] {
      for (kind, share) in [(LayoutItem.Kind.camera, 0.999...1.001), (.screen, 0.0...0.5)] {
        var engine = try LayoutEngine(policy: try LayoutCatalog.policy(name), canvas: canvas)
        let tile = try #require(
          engine.place([LayoutItem(id: 0, kind: kind, aspectRatio: wide)]).first)
        let place = PictureFit.Placement(
          aspectRatio: wide, in: tile.frame, coverage: tile.coverage ?? 0)
        #expect(share.contains(place.destination.size.area / canvas.area), "\(name), \(kind)")
      }
    }
  }

  @Test("On a landscape canvas a grid is unchanged")
  func lying() throws {
    let canvas = Size(width: 1920, height: 1080)
    let items = (0..<4).map { LayoutItem(id: $0, aspectRatio: wide) }
    let framed = items.map { item in
      var item = item
      item.isFramed = true
      return item
    }
    var (one, other) = (
      try LayoutEngine(policy: GridLayout(), canvas: canvas),
      try LayoutEngine(policy: GridLayout(), canvas: canvas)
    )
    #expect(one.place(items).map(\.frame) == other.place(framed).map(\.frame))
  }

  @Test("The face's position in a tile is derived from the crop")
  func area() throws {
    let framing = Framing(Point(x: 0.6, y: 0.3), line: Framing.eyeLine, face: 0.4)
    let tile = Rect(x: 100, y: 50, width: 90, height: 160)
    let face = try #require(framing.faceArea(in: tile, aspectRatio: wide, coverage: 1))
    #expect(abs(face.x + face.width / 2 - 145) < 1e-6)
    #expect(abs(face.height - 64) < 1e-6 && abs(face.width - 64) < 1e-6)
    #expect(abs(face.y + 0.375 * face.height - (50 + 0.3 * 160)) < 1e-6)
  }
}
