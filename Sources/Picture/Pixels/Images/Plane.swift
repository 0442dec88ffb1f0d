/// A view of one 8-bit plane: rows of `size.width` bytes, `stride` bytes apart, not aligned.
///
/// A view owns no memory and must not outlive its source.
@safe public struct Plane: @unchecked Sendable {
  /// The first byte of the first row.
  public let base: UnsafePointer<UInt8>
  /// The distance between rows in bytes, at least `size.width`.
  public let stride: Int
  /// The number of columns and rows.
  public let size: PixelSize

  /// Creates a view of the plane at `base`. The caller keeps ownership of the memory.
  @unsafe public init(base: UnsafePointer<UInt8>, stride: Int, size: PixelSize) {
    precondition(size.width >= 1 && size.height >= 1 && stride >= size.width)
    unsafe self.base = base
    self.stride = stride
    self.size = size
  }

  /// Returns a view of samples `columns` of row `y`.
  package func row(_ y: Int, _ columns: Range<Int>) -> Row {
    precondition(y >= 0 && y < size.height)
    precondition(columns.lowerBound >= 0 && columns.upperBound <= size.width)
    return unsafe Row(base: base + y * stride + columns.lowerBound, count: columns.count)
  }

  /// Returns the sample at column `x` of row `y`.
  public subscript(x: Int, y: Int) -> UInt8 {
    precondition(x >= 0 && x < size.width && y >= 0 && y < size.height)
    return unsafe base[y * stride + x]
  }
}

/// A writable view of one 8-bit plane; see ``Plane``.
@safe package struct MutablePlane: @unchecked Sendable {
  /// The first byte of the first row.
  package let base: UnsafeMutablePointer<UInt8>
  /// The distance between rows in bytes, at least `size.width`.
  package let stride: Int
  /// The number of columns and rows.
  package let size: PixelSize

  /// Creates a writable view of the plane at `base`. The caller keeps ownership of the memory.
  @unsafe package init(base: UnsafeMutablePointer<UInt8>, stride: Int, size: PixelSize) {
    precondition(size.width >= 1 && size.height >= 1 && stride >= size.width)
    unsafe self.base = base
    self.stride = stride
    self.size = size
  }

  /// Returns a writable view of samples `columns` of row `y`.
  package func row(_ y: Int, _ columns: Range<Int>) -> MutableRow {
    precondition(y >= 0 && y < size.height)
    precondition(columns.lowerBound >= 0 && columns.upperBound <= size.width)
    return unsafe MutableRow(base: base + y * stride + columns.lowerBound, count: columns.count)
  }

  /// A read-only view of this plane.
  package var readOnly: Plane { unsafe Plane(base: base, stride: stride, size: size) }

  /// The sample at column `x` of row `y`.
  package subscript(x: Int, y: Int) -> UInt8 {
    get { readOnly[x, y] }
    nonmutating set {
      precondition(x >= 0 && x < size.width && y >= 0 && y < size.height)
      unsafe base[y * stride + x] = newValue
    }
  }
}

/// A view of consecutive samples of a ``Plane``.
@safe package struct Row {
  let base: UnsafePointer<UInt8>
  /// The number of samples.
  package let count: Int
}

/// A view of consecutive samples of a ``MutablePlane``.
@safe package struct MutableRow {
  let base: UnsafeMutablePointer<UInt8>
  /// The number of samples.
  package let count: Int

  /// A read-only view of these samples.
  package var readOnly: Row { unsafe Row(base: UnsafePointer(base), count: count) }
}
