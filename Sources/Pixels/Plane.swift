/// A view of one 8-bit plane: rows of `size.width` bytes, `stride` bytes apart, not aligned.
///
/// A view owns nothing: it must not outlive what it was made from.
@safe public struct Plane: @unchecked Sendable {
  /// The first byte of the first row.
  public let base: UnsafePointer<UInt8>
  /// The distance from one row to the next in bytes, at least `size.width`.
  public let stride: Int
  /// The number of columns and rows.
  public let size: PixelSize

  /// The plane of `size` at `base`; the memory stays the caller's.
  @unsafe public init(base: UnsafePointer<UInt8>, stride: Int, size: PixelSize) {
    precondition(size.width >= 1 && size.height >= 1 && stride >= size.width)
    unsafe self.base = base
    self.stride = stride
    self.size = size
  }

  /// The bytes of row `y`; no byte outside them may be read.
  public func withRow<R: ~Copyable, E: Error>(
    _ y: Int, _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    precondition(y >= 0 && y < size.height)
    let row = unsafe UnsafeBufferPointer(start: base + y * stride, count: size.width)
    return try body(unsafe Span(_unsafeElements: row))
  }

  /// The sample at column `x` of row `y`.
  public subscript(x: Int, y: Int) -> UInt8 {
    precondition(x >= 0 && x < size.width && y >= 0 && y < size.height)
    return unsafe base[y * stride + x]
  }
}

/// A ``Plane`` that can be written.
@safe public struct MutablePlane: @unchecked Sendable {
  /// The first byte of the first row.
  public let base: UnsafeMutablePointer<UInt8>
  /// The distance from one row to the next in bytes, at least `size.width`.
  public let stride: Int
  /// The number of columns and rows.
  public let size: PixelSize

  /// The plane of `size` at `base`; the memory stays the caller's.
  @unsafe public init(base: UnsafeMutablePointer<UInt8>, stride: Int, size: PixelSize) {
    precondition(size.width >= 1 && size.height >= 1 && stride >= size.width)
    unsafe self.base = base
    self.stride = stride
    self.size = size
  }

  /// The same plane, to read.
  public var readOnly: Plane { unsafe Plane(base: base, stride: stride, size: size) }

  /// The sample at column `x` of row `y`.
  public subscript(x: Int, y: Int) -> UInt8 {
    get { readOnly[x, y] }
    nonmutating set {
      precondition(x >= 0 && x < size.width && y >= 0 && y < size.height)
      unsafe base[y * stride + x] = newValue
    }
  }
}
