/// How the samples of an ``Image`` are laid out.
package enum PixelFormat: Hashable, Sendable {
  /// One plane of 8-bit samples.
  case gray8
  /// Three planes of 8-bit samples: luma, then blue and red difference at half the width and
  /// height, rounded up.
  case yuv420p8

  /// The number of planes.
  package var planeCount: Int { self == .gray8 ? 1 : 3 }
}

/// Owned picture memory: rows are 64-byte aligned, and it is freed with the value.
@safe package struct Image: ~Copyable, @unchecked Sendable {
  /// The layout of the samples.
  package let format: PixelFormat
  /// The number of columns and rows of the first plane.
  package let size: PixelSize
  private let storage: UnsafeMutableRawBufferPointer

  /// An image of `size`, every sample of every plane zero.
  ///
  /// - Precondition: both sides are at least 1.
  package init(_ format: PixelFormat, size: PixelSize) {
    precondition(size.width >= 1 && size.height >= 1)
    self.format = format
    self.size = size
    let luma = Self.stride(of: size.width) * size.height
    let chroma = Self.stride(of: size.chroma.width) * size.chroma.height
    let bytes = format == .gray8 ? luma : luma + 2 * chroma
    unsafe storage = .allocate(byteCount: bytes, alignment: Self.alignment)
    unsafe storage.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    unsafe storage.deallocate()
  }

  /// The plane at `index`, valid while the image lives.
  package subscript(plane index: Int) -> MutablePlane {
    precondition(index >= 0 && index < format.planeCount)
    let chroma = size.chroma
    let planeSize = index == 0 ? size : chroma
    let lumaBytes = Self.stride(of: size.width) * size.height
    let chromaBytes = Self.stride(of: chroma.width) * chroma.height
    let offset = index == 0 ? 0 : lumaBytes + (index - 1) * chromaBytes
    let base = unsafe storage.baseAddress.unsafelyUnwrapped + offset
    return unsafe MutablePlane(
      base: base.assumingMemoryBound(to: UInt8.self), stride: Self.stride(of: planeSize.width),
      size: planeSize)
  }

  private static let alignment = 64

  private static func stride(of width: Int) -> Int {
    (width + alignment - 1) & ~(alignment - 1)
  }
}
