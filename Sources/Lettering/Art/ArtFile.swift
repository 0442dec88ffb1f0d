internal import TesseraPixels
internal import TesseraSystem

/// Why bytes are no ``ArtStore``.
public enum ArtFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// They do not begin as such a file does.
  case notAnArtFile
  /// They are not those that were written.
  case damaged

  public var description: String {
    switch self {
    case .notAnArtFile: "the plan's drawings are no file of drawings: make the plan again."
    case .damaged: "the plan's drawings are damaged: make the plan again."
    }
  }
}

/// The layout of a file of drawings: a mark, their number, for each its kind, its sides, the length
/// of its packed pixels and those, and the SHA-256 of all that. Numbers have 32 bits, least byte first.
enum ArtFile {
  static let mark = Array("TSRART01".utf8)
  static let longestSide = 16384

  static func bytes(of number: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

extension ArtStore {
  /// The store as a file, the same bytes for the same drawings.
  public func encoded() -> [UInt8] {
    var bytes = ArtFile.mark + ArtFile.bytes(of: count)
    for id in ids {
      guard let drawing = packed[id] else { continue }
      bytes.append(drawing.kind)
      for number in [drawing.size.width, drawing.size.height, drawing.bytes.count] {
        bytes += ArtFile.bytes(of: number)
      }
      bytes += drawing.bytes
    }
    return bytes + SHA256.digest(bytes)
  }

  /// The store in a file that ``encoded()`` made.
  public init(encoded bytes: [UInt8]) throws(ArtFileError) {
    guard bytes.starts(with: ArtFile.mark) else { throw .notAnArtFile }
    guard bytes.count >= ArtFile.mark.count + 4 + 32,
      SHA256.digest(bytes.dropLast(32)) == Array(bytes.suffix(32))
    else { throw .damaged }
    var rest = bytes[ArtFile.mark.count..<bytes.count - 32]
    var drawings: [ArtID: PackedArt] = [:]
    guard let count = Self.number(&rest) else { throw .damaged }
    while !rest.isEmpty {
      let kind = rest.removeFirst()
      guard let width = Self.number(&rest), let height = Self.number(&rest),
        (1...ArtFile.longestSide).contains(width), (1...ArtFile.longestSide).contains(height),
        let length = Self.number(&rest), rest.count >= length
      else { throw .damaged }
      let packed = PackedArt(
        kind: kind, size: PixelSize(width: width, height: height),
        bytes: Array(rest.prefix(length)))
      guard let drawing = packed.art else { throw .damaged }
      rest.removeFirst(length)
      drawings[drawing.id] = packed
    }
    guard drawings.count == count else { throw .damaged }
    self.init(drawings)
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    defer { bytes.removeFirst(4) }
    return bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension ArtStore: Codable {
  public init(from decoder: any Decoder) throws {
    let side = try decoder.singleValueContainer().decode(SideBytes.self)
    self = try ArtStore(encoded: side.bytes)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(SideBytes(encoded()))
  }
}
