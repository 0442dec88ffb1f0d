import TesseraLayout
import TesseraLettering
import TesseraPixels
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

@Suite(.timed) struct DecoratedAreaTests {
  private static let canvas = PixelSize(width: 1920, height: 1080)

  private static func area(_ kind: TileTimeline.Kind, coverage: Double) -> PixelRect {
    var attributes = LayoutAttributes(
      id: 0, frame: Rect(x: 100, y: 50, width: 800, height: 700))
    attributes.aspectRatio = 16.0 / 9
    attributes.coverage = coverage
    return attributes.decorated(TileTimeline(id: 0, participant: nil, kind: kind), on: canvas)
  }

  @Test func drawingsAreOnASharedScreensPicture() {
    #expect(
      Self.area(.screen, coverage: 0) == PixelRect(x: 100, y: 175, width: 800, height: 450))
    #expect(
      Self.area(.screen, coverage: 1) == PixelRect(x: 100, y: 50, width: 800, height: 700))
  }

  @Test func drawingsAreOnTheWholeTileOfAPerson() {
    #expect(
      Self.area(.camera, coverage: 0) == PixelRect(x: 100, y: 50, width: 800, height: 700))
  }

  @Test(
    "On a phone canvas, drawings leave the lowest 12 % of high tiles free")
  func phones() {
    let phone = PixelSize(width: 720, height: 1280)
    func bottom(_ frame: Rect, on canvas: PixelSize) -> Int {
      LayoutAttributes(id: 0, frame: frame)
        .decorated(TileTimeline(id: 0, participant: nil, kind: .camera), on: canvas).maxY
    }
    #expect(bottom(Rect(x: 0, y: 0, width: 720, height: 1280), on: phone) == 1126)
    #expect(bottom(Rect(x: 0, y: 640, width: 720, height: 640), on: phone) == 1126)
    #expect(bottom(Rect(x: 0, y: 427, width: 720, height: 426), on: phone) == 853)
    #expect(bottom(Rect(x: 0, y: 853, width: 720, height: 427), on: phone) == 1280)
    #expect(bottom(Rect(x: 0, y: 0, width: 1920, height: 1080), on: Self.canvas) == 1080)
  }

  @Test("A tile from edge to edge has square corners by default")
  func corners() {
    let (full, half) = (
      Rect(x: 0, y: 0, width: 1920, height: 1080), Rect(x: 10, y: 10, width: 945, height: 1060)
    )
    var style = TileStyle(.dark)
    #expect(style.radius(full, on: Self.canvas) == 0)
    #expect(style.radius(half, on: Self.canvas) == 16)
    #expect(style.radius(Rect(x: 100, y: 0, width: 810, height: 1080), on: Self.canvas) == 0)
    #expect(style.radius(Rect(x: 100, y: 900, width: 80, height: 50), on: Self.canvas) == 6)
    style.theme.keepsEdges = true
    #expect(style.radius(full, on: Self.canvas) == 16)
    style.theme.keepsEdges = false
    style.cornerRadius = 20
    #expect(style.radius(full, on: Self.canvas) == 20)
  }

  @Test("Only one of several nearly equal tiles is framed while its person speaks")
  func frames() {
    func tile(_ id: Int, _ width: Double, _ height: Double, alpha: Double = 1) -> LayoutAttributes {
      LayoutAttributes(
        id: id, frame: Rect(x: 2000 * Double(id), y: 0, width: width, height: height),
        alpha: alpha)
    }
    let large = tile(0, 1600, 1080)
    let strip = [tile(1, 300, 200), tile(2, 300, 200), tile(3, 300, 245)]
    #expect(!large.isOneOfSeveral([large]) && !large.isOneOfSeveral([large] + strip))
    #expect(strip[0].isOneOfSeveral([large] + strip))
    #expect(strip[2].isOneOfSeveral([strip[2], strip[0]]))
    #expect(!strip[0].isOneOfSeveral([strip[0], tile(4, 300, 260)]))
    #expect(!strip[0].isOneOfSeveral([strip[0], tile(4, 300, 200, alpha: 0)]))
    // A tile that dissolves in over it.
    let heir = LayoutAttributes(id: 9, frame: strip[0].frame)
    #expect(!strip[0].isOneOfSeveral([strip[0], heir]))
  }
}
