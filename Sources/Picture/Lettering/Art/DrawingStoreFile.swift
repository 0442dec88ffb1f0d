internal import TesseraPixels
internal import TesseraSystem

/// An error in the bytes of an encoded ``DrawingStore``.
package enum DrawingStoreFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes do not begin with the magic bytes of such a file.
  case notAnArtFile
  /// The bytes are damaged: the checksum or the structure is wrong.
  case damaged

  package var description: String {
    switch self {
    case .notAnArtFile: "the plan's file of drawings is damaged: make the plan again."
    case .damaged: "the plan's drawings are damaged: make the plan again."
    }
  }
}

/// The file format of an art store: magic bytes, the number of drawings, the drawings, and a
/// SHA-256 of everything before it.
///
/// A drawing is its identifier in letters, its kind, width and height, and the length and bytes of
/// its packed pixels. Numbers have 32 bits, little-endian.
enum DrawingStoreFile {
  static let mark = Array("TSRART02".utf8)
  static let longestSide = 16384
  static let nameLength = 32

  static func bytes(of number: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

extension DrawingStore {
  /// Encodes the store as a file. Equal drawings give equal bytes.
  package func encoded() -> [UInt8] { encoded(ids[...]) }

  /// Encodes the drawings `ids` as a file.
  private func encoded(_ ids: ArraySlice<DrawingID>) -> [UInt8] {
    var bytes = DrawingStoreFile.mark + DrawingStoreFile.bytes(of: ids.count)
    bytes.reserveCapacity(ids.reduce(64) { $0 + 64 + (packed[$1]?.bytes.count ?? 0) })
    for id in ids {
      guard let drawing = packed[id] else { continue }
      bytes += id.text.utf8
      bytes.append(drawing.kind)
      for number in [drawing.size.width, drawing.size.height, drawing.bytes.count] {
        bytes += DrawingStoreFile.bytes(of: number)
      }
      bytes += drawing.bytes
    }
    bytes += SHA256.digest(bytes)
    return bytes
  }

  /// Decodes a store from a file written by ``encoded()``. Drawings stay packed and share the
  /// file's bytes.
  package init(encoded bytes: [UInt8]) throws(DrawingStoreFileError) {
    guard bytes.starts(with: DrawingStoreFile.mark) else { throw .notAnArtFile }
    guard bytes.count >= DrawingStoreFile.mark.count + 4 + 32,
      SHA256.digest(bytes.dropLast(32)) == Array(bytes.suffix(32))
    else { throw .damaged }
    var rest = bytes[DrawingStoreFile.mark.count..<bytes.count - 32]
    var drawings: [DrawingID: EncodedDrawing] = [:]
    guard let count = Self.number(&rest) else { throw .damaged }
    while !rest.isEmpty {
      guard let (id, drawing) = Self.drawing(&rest) else { throw .damaged }
      drawings[id] = drawing
    }
    guard drawings.count == count else { throw .damaged }
    self.init(drawings)
  }

  /// Reads and removes one drawing from the front of `bytes`; returns `nil` if it is invalid.
  private static func drawing(_ bytes: inout ArraySlice<UInt8>) -> (DrawingID, EncodedDrawing)? {
    let name = bytes.prefix(DrawingStoreFile.nameLength)
    guard let id = DrawingID(String(decoding: name, as: UTF8.self)) else { return nil }
    bytes = bytes.dropFirst(DrawingStoreFile.nameLength)
    guard let kind = bytes.popFirst(), let width = number(&bytes), let height = number(&bytes),
      (1...DrawingStoreFile.longestSide).contains(width),
      (1...DrawingStoreFile.longestSide).contains(height),
      let length = number(&bytes), bytes.count >= length
    else { return nil }
    defer { bytes = bytes.dropFirst(length) }
    let drawing = EncodedDrawing(
      kind: kind, size: PixelSize(width: width, height: height), bytes: bytes.prefix(length))
    return drawing.isWhole ? (id, drawing) : nil
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    defer { bytes = bytes.dropFirst(4) }
    return bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension DrawingStore: Codable {
  /// The target size in bytes of each side file, so that writing needs little extra memory.
  private static let fileLength = 4 << 20

  package init(from decoder: any Decoder) throws {
    var files = try decoder.unkeyedContainer()
    var store = DrawingStore()
    while !files.isAtEnd {
      store.merge(try DrawingStore(encoded: files.decode(StoredBlob.self).bytes))
    }
    self = store
  }

  package func encode(to encoder: any Encoder) throws {
    var files = encoder.unkeyedContainer()
    let ids = ids
    var (first, length) = (0, 0)
    for (index, id) in ids.enumerated() {
      length += packed[id]?.bytes.count ?? 0
      guard length >= Self.fileLength || index + 1 == ids.count else { continue }
      try files.encode(StoredBlob(encoded(ids[first...index])))
      (first, length) = (index + 1, 0)
    }
  }
}
