import Foundation
import TesseraPixels
import TestSupport
import Testing

@testable import TesseraProof

@Suite("Storage of canvas marks", .timed) struct MeasurementWriterTests {
  /// Returns canvases in which some cells change, slightly or strongly, tiles move, and overviews
  /// appear.
  private static func canvases(_ count: Int, seed: UInt64) -> [CanvasMeasurements] {
    var random = Random(seed)
    var marks = CanvasMeasurements()
    return (0..<count).map { number in
      if number.isMultiple(of: 17) {
        marks.tiles = (0..<random.next(6)).map { slot in
          let area = PixelRect(
            x: random.next(3000), y: random.next(2000), width: 16 + random.next(900),
            height: 16 + random.next(600))
          return ProofTile(
            slot: slot, area: area,
            plate: random.next(2) == 0 ? nil : PixelRect(x: 1, y: 2, width: 300, height: 20))
        }
        marks.cells = (0..<marks.tiles.count * ProofTile.cellCount).map { _ in
          UInt8(random.next(256))
        }
      } else {
        for cell in marks.cells.indices where random.next(3) == 0 {
          let step = random.next(5) == 0 ? random.next(256) : random.next(15) - 7
          marks.cells[cell] = UInt8(min(255, max(0, Int(marks.cells[cell]) + step)))
        }
      }
      marks.overview = nil
      marks.motion = number.isMultiple(of: 3) ? 0 : UInt8(1 + random.next(255))
      if number.isMultiple(of: 15) {
        let means = (0..<CanvasMeasurements.Overview.cellCount).map { _ in UInt8(random.next(256)) }
        marks.overview = CanvasMeasurements.Overview(
          luma: means, blue: means.reversed(), red: means,
          details: marks.tiles.map { _ in UInt8(random.next(128)) })
      }
      return marks
    }
  }

  @Test("Written marks are read back unchanged", arguments: 0..<8)
  func whole(seed: Int) {
    let canvases = Self.canvases(200, seed: UInt64(seed))
    var writer = MeasurementWriter()
    for canvas in canvases { writer.append(canvas) }
    writer.repeatLast()
    var reader = MeasurementReader(writer.bytes)
    for canvas in canvases { #expect(reader.next() == canvas) }
    var last = canvases.last
    last?.overview = nil
    last?.motion = 0
    #expect(reader.next() == last)
    #expect(reader.next() == nil)
    #expect(!reader.isDamaged)
  }

  @Test("Damaged bytes end the reading without other effects", arguments: 0..<8)
  func damaged(seed: Int) {
    var writer = MeasurementWriter()
    for canvas in Self.canvases(60, seed: UInt64(seed)) { writer.append(canvas) }
    var random = Random(UInt64(seed))
    for _ in 0..<500 {
      var bytes = writer.bytes
      for _ in 0...random.next(4) { bytes[random.next(bytes.count)] = UInt8(random.next(256)) }
      var reader = MeasurementReader(bytes.prefix(random.next(bytes.count + 1)))
      var count = 0
      while let marks = reader.next() {
        #expect(marks.cells.count == marks.tiles.count * ProofTile.cellCount)
        count += 1
      }
      #expect(count <= bytes.count)
    }
  }

  @Test("Canvases without motion take a byte each")
  func still() {
    var canvas = CanvasMeasurements()
    canvas.tiles = [ProofTile(slot: 0, area: PixelRect(x: 0, y: 0, width: 64, height: 64))]
    canvas.cells = Array(repeating: 90, count: ProofTile.cellCount)
    var writer = MeasurementWriter()
    writer.append(canvas)
    let first = writer.bytes.count
    for _ in 0..<1000 { writer.append(canvas) }
    #expect(writer.bytes.count == first + 1000)
  }

  @Test("Cells are means, starting at the top left")
  func means() throws {
    var image = [UInt8](repeating: 40, count: 64 * 32)
    for y in 0..<16 { for x in 0..<16 { image[64 * y + x] = UInt8(x % 2 == 0 ? 100 : 110) } }
    for y in 0..<32 { for x in 48..<64 { image[64 * y + x] = UInt8(x % 2 == 0 ? 0 : 255) } }
    let size = PixelSize(width: 64, height: 32)
    let marks = unsafe image.withUnsafeBufferPointer { buffer in
      let plane = unsafe Plane(base: buffer.baseAddress!, stride: 64, size: size)
      let tile = ProofTile(
        slot: 3, area: PixelRect(size), plate: PixelRect(x: 48, y: 0, width: 16, height: 32))
      return CanvasMeasurements([tile], luma: plane, blue: plane, red: plane, overview: true)
    }
    #expect(marks.cells == [105, 40, 40, 128, 40, 40, 40, 128])
    let overview = try #require(marks.overview)
    #expect(overview.luma.prefix(3) == [105, 105, 40])
    #expect(overview.details == [255])
  }
}

/// A generator with a fixed sequence for each seed.
struct Random {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

  /// Returns a number in `0..<count`.
  mutating func next(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % max(1, count)
  }
}
