/// The memory layout of an ``Image``.
package enum PixelFormat: Hashable, Sendable {
  /// One plane of 8-bit samples.
  case gray8
  /// Three planes of 8-bit samples: luma, then Cb and Cr at half the width and height, rounded up.
  case yuv420p8

  package var planeCount: Int { self == .gray8 ? 1 : 3 }
}

/// Owned image memory with rows aligned to 64 bytes, freed with the value.
@safe package struct Image: ~Copyable, @unchecked Sendable {
  package let format: PixelFormat
  /// The size of the first plane.
  package let size: PixelSize
  private let storage: UnsafeMutableRawBufferPointer

  /// Creates an image of `size` with every sample zero.
  ///
  /// - Precondition: Both sides are at least 1.
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

  /// Returns the plane `index`, valid while the image lives.
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
