extension Sprite {
  /// The longest side accepted when a sprite is decoded from bytes.
  private static let longestSide = 16384
  /// The magic bytes at the start of an encoded sprite.
  private static let mark: [UInt8] = Array("TSPR0001".utf8)

  /// The sprite encoded as bytes; equal drawings have equal bytes.
  ///
  /// The format is: magic bytes, width and height as 32-bit little-endian numbers, then the planes
  /// without padding: luma, coverage, blue, red. Chroma has one plane for each of four parities.
  package var bytes: [UInt8] {
    var bytes = Self.mark
    for side in [size.width, size.height] {
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: side >> shift)) }
    }
    bytes.append(luma)
    bytes.append(coverage.luma)
    for isRed in [false, true] {
      for parity in 0..<4 {
        bytes.append(chroma(isRed: isRed, oddX: parity & 1 == 1, oddY: parity & 2 == 2))
      }
    }
    return bytes
  }

  /// Decodes a sprite from its ``bytes``; returns `nil` if they are invalid.
  package convenience init?(bytes: [UInt8]) {
    var rest = bytes[...]
    guard rest.starts(with: Self.mark) else { return nil }
    rest.removeFirst(Self.mark.count)
    guard let width = Self.side(&rest), let height = Self.side(&rest) else { return nil }
    let size = PixelSize(width: width, height: height)
    let sizes = (0..<8).map { Self.chromaSize(size, oddX: $0 & 1, oddY: $0 >> 1 & 1) }
    guard rest.count == 2 * size.area + sizes.reduce(0, { $0 + $1.area }) else { return nil }
    let luma = Image(.gray8, size: size, bytes: &rest)
    let coverage = Image(.gray8, size: size, bytes: &rest)
    let chroma = InlineArray<8, Image> { Image(.gray8, size: sizes[$0], bytes: &rest) }
    self.init(luma: luma, chroma: chroma, coverage: coverage)
  }

  /// Reads and removes a side's length from the front of `bytes`; returns `nil` if it is out of
  /// range.
  private static func side(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    let side = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    bytes.removeFirst(4)
    return (1...longestSide).contains(side) ? side : nil
  }
}

extension [UInt8] {
  /// Appends the samples of `plane`, row by row.
  fileprivate mutating func append(_ plane: Plane) {
    for y in 0..<plane.size.height {
      for x in 0..<plane.size.width { append(plane[x, y]) }
    }
  }
}

extension Image {
  /// Creates a single-plane image from the front of `bytes` and removes what was read.
  fileprivate init(_ format: PixelFormat, size: PixelSize, bytes: inout ArraySlice<UInt8>) {
    self.init(format, size: size)
    let plane = self[plane: 0]
    for y in 0..<size.height {
      for (x, byte) in bytes.prefix(size.width).enumerated() { plane[x, y] = byte }
      bytes.removeFirst(size.width)
    }
  }
}
