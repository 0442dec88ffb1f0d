import TesseraPixels

/// A drawing made at plan time: coverage for one color, or a small picture.
enum RasterDrawing: Hashable {
  case coverage(PixelCoverage)
  case image(ColorImage)

  static let coverageKind: UInt8 = 1
  static let imageKind: UInt8 = 2

  /// The number of columns and rows.
  var size: PixelSize {
    switch self {
    case .coverage(let coverage): coverage.size
    case .image(let image): image.size
    }
  }

  /// The code of the case in a file.
  var kind: UInt8 {
    switch self {
    case .coverage: Self.coverageKind
    case .image: Self.imageKind
    }
  }

  /// The bytes of all pixels.
  var bytes: [UInt8] {
    switch self {
    case .coverage(let coverage): coverage.bytes
    case .image(let image): image.bytes
    }
  }

  /// Creates the drawing of `kind` from its pixels; `nil` if their number does not fit `size`.
  init?(kind: UInt8, size: PixelSize, bytes: [UInt8]) {
    switch kind {
    case Self.coverageKind where bytes.count == size.area:
      self = .coverage(PixelCoverage(size: size, bytes: bytes))
    case Self.imageKind where bytes.count == 4 * size.area:
      self = .image(ColorImage(width: size.width, height: size.height, bytes: bytes))
    default: return nil
    }
  }

  /// The drawing's identifier: the hash of its kind, size and pixels.
  var id: DrawingID {
    DrawingID(
      hashing: [kind] + [size.width, size.height].flatMap(DrawingStoreFile.bytes(of:)) + bytes)
  }
}
