extension Sprite {
  /// The longest side of a sprite that is read from bytes.
  private static let longestSide = 16384
  /// The bytes before the planes: a mark, the width and the height.
  private static let mark: [UInt8] = Array("TSPR0001".utf8)

  /// The sprite as bytes, the same ones for equal drawings: a mark, both sides as 32-bit numbers,
  /// least byte first, and the planes without padding: luma, coverage, then the blue and the red
  /// ones.
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

  /// The sprite that ``bytes`` was asked of; nil for bytes that are none.
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

  /// Takes a side's length; nil where it cannot be one.
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
  /// An image of one plane that takes its samples from the start of `bytes`.
  fileprivate init(_ format: PixelFormat, size: PixelSize, bytes: inout ArraySlice<UInt8>) {
    self.init(format, size: size)
    let plane = self[plane: 0]
    for y in 0..<size.height {
      for (x, byte) in bytes.prefix(size.width).enumerated() { plane[x, y] = byte }
      bytes.removeFirst(size.width)
    }
  }
}
