import Foundation
import TesseraPixels
import TesseraSystem
import TestSupport
import Testing

@testable import TesseraLettering

@Suite(.timed) struct DrawingStoreTests {
  /// Returns a store with names, cards and pictures.
  private func filled() throws -> LetteringRenderer {
    let lettering = LetteringRenderer()
    let step = try #require(TileSizeStep(PixelSize(width: 320, height: 180)))
    for name in Names.emoji + Names.ordinary.prefix(4) {
      _ = lettering.personCard(CardParticipant(id: name, name: name), step: step)
      _ = lettering.namePlate(name, step: step)
    }
    return lettering
  }

  @Test func filesContainTheDrawings() throws {
    let store = try filled().store
    let bytes = store.encoded()
    let read = try DrawingStore(encoded: bytes)
    #expect(read.ids == store.ids)
    #expect(read.encoded() == bytes)
    for id in store.ids {
      #expect(read.drawing(id) == store.drawing(id))
    }
    #expect(try DrawingStore(encoded: DrawingStore().encoded()).ids.isEmpty)
  }

  @Test func damagedFilesAreRefused() throws {
    let bytes = try filled().store.encoded()
    #expect(throws: DrawingStoreFileError.notAnArtFile) { try DrawingStore(encoded: []) }
    #expect(throws: DrawingStoreFileError.notAnArtFile) {
      try DrawingStore(encoded: Array("{}".utf8))
    }
    var generator = SplitMix64(seed: 3)
    for _ in 0..<20 {
      var damaged = bytes
      let index = Int.random(in: 8..<bytes.count, using: &generator)
      damaged[index] ^= UInt8.random(in: 1...255, using: &generator)
      #expect(throws: DrawingStoreFileError.damaged) { try DrawingStore(encoded: damaged) }
      let cut = Int.random(in: 8..<bytes.count, using: &generator)
      #expect(throws: DrawingStoreFileError.damaged) {
        try DrawingStore(encoded: Array(bytes.prefix(cut)))
      }
    }
  }

  @Test func filesWithFalseSizesAreRefused() {
    for size in [0, 1, 1 << 20, Int(UInt32.max)] {
      let body =
        DrawingStoreFile.mark + DrawingStoreFile.bytes(of: 1)
        + Array(DrawingID(hashing: []).text.utf8)
        + [1] + DrawingStoreFile.bytes(of: size) + DrawingStoreFile.bytes(of: size)
        + DrawingStoreFile.bytes(of: 2) + [255, 0]
      #expect(throws: DrawingStoreFileError.damaged) {
        try DrawingStore(encoded: body + SHA256.digest(body))
      }
    }
  }

  @Test func packedCoverageIsRestored() throws {
    var generator = SplitMix64(seed: 12)
    for length in [1, 2, 3, 127, 128, 129, 256, 257, 1000] {
      for range in [0...0, 0...1, 0...255] as [ClosedRange<UInt8>] {
        let bytes = (0..<length).map { _ in UInt8.random(in: range, using: &generator) }
        let coverage = PixelCoverage(size: PixelSize(width: length, height: 1), bytes: bytes)
        let packed = EncodedDrawing(.coverage(coverage))
        #expect(packed.art == .coverage(coverage) && packed.isWhole)
        #expect(packed.bytes.count <= length + length / 128 + 1)
        for cut in 0..<min(packed.bytes.count, 20) {
          let less = EncodedDrawing(
            kind: packed.kind, size: packed.size, bytes: packed.bytes.dropLast(cut + 1))
          #expect(less.art == nil && !less.isWhole)
        }
      }
    }
    let empty = PixelCoverage(
      size: PixelSize(width: 500, height: 50), bytes: [UInt8](repeating: 0, count: 25000))
    #expect(EncodedDrawing(.coverage(empty)).bytes.count < 400)
  }

  @Test func namesDependOnTheContent() throws {
    let lettering = LetteringRenderer()
    let surface = CairoSurface(PixelSize(width: 4, height: 4))
    surface.rectangle(surface.bounds)
    surface.fill()
    let items = [0, 5].flatMap { lettering.item(surface, color: .white, x: $0) }
    #expect(items.map(\.art).count == 2 && Set(items.map(\.art)).count == 1)
    #expect(lettering.store.ids.count == 1)
    let id = try #require(items.first?.art)
    #expect(DrawingID(id.text) == id)
    let json = try JSONEncoder().encode([id])
    #expect(try JSONDecoder().decode([DrawingID].self, from: json) == [id])
    for text in ["", "abc", String(repeating: "G", count: 32), "../../etc/passwd"] {
      #expect(DrawingID(text) == nil)
    }
  }

  @Test func groupsAreJoinedIntoOnePicture() throws {
    let lettering = try filled()
    let tile = PixelSize(width: 320, height: 180)
    let step = try #require(TileSizeStep(tile))
    let plate = try #require(lettering.namePlate("Zoë 🎉", kind: .screen, step: step))
    let image = try #require(lettering.store.image(of: plate))
    #expect(image.size == plate.size)
    var (one, apart) = (
      Board(plate.size, Color(rgb: 0x808080)), Board(plate.size, Color(rgb: 0x808080))
    )
    apart.draw(plate.atOrigin, in: PixelRect(plate.size), lettering.store)
    let item = DrawingGroup.Item(
      art: DrawingID(hashing: []), color: nil, x: 0, y: 0, size: plate.size)
    var store = DrawingStore()
    var whole = plate.atOrigin
    whole.items = [item]
    whole.items[0].art = store.insert(.image(image))
    one.draw(whole, in: PixelRect(plate.size), store)
    for (a, b) in zip(one.pixels, apart.pixels) { #expect(abs(Int(a) - Int(b)) <= 3) }
  }
}

extension DrawingGroup {
  fileprivate var atOrigin: DrawingGroup {
    var group = self
    (group.anchor, group.x, group.y) = (.topLeft, 0, 0)
    return group
  }
}

@Suite(.timed) struct SHA256Tests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The examples of the standard, and one with the length of two blocks.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func examples(text: String, digest: String) {
    #expect(hex(SHA256.digest(Array(text.utf8))) == digest)
  }

  @Test func aMillionLetters() {
    let hash = SHA256()
    for _ in 0..<1000 { hash.update([UInt8](repeating: 97, count: 1000)) }
    #expect(
      hex(hash.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func piecesGiveTheDigestOfTheWhole() {
    var generator = SplitMix64(seed: 9)
    for length in [1, 55, 56, 63, 64, 65, 119, 120, 500] {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let hash = SHA256()
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = min(rest.count, Int.random(in: 1...70, using: &generator))
        hash.update(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(hash.finish() == SHA256.digest(bytes))
    }
  }
}
