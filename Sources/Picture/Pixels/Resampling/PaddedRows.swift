internal import Glibc

/// Row copies for sources narrower than the kernels may read. The memory grows on demand and never
/// shrinks.
@safe struct PaddedRows: ~Copyable {
  private var storage = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  /// The distance between rows in bytes.
  private(set) var stride = 0

  init() {}

  deinit {
    unsafe storage.deallocate()
  }

  /// Makes room for `rows` rows of `width` bytes.
  mutating func prepare(rows: Int, width: Int) {
    stride = width
    guard unsafe storage.count < rows * width else { return }
    unsafe storage.deallocate()
    unsafe storage = .allocate(capacity: rows * width)
    unsafe storage.initialize(repeating: 0)
  }

  @unsafe var first: UnsafePointer<UInt8> {
    unsafe UnsafePointer(storage.baseAddress.unsafelyUnwrapped)
  }

  /// Copies `count` bytes into row `row`.
  @unsafe mutating func copyRow(_ source: UnsafePointer<UInt8>, count: Int, to row: Int) {
    unsafe memcpy(storage.baseAddress.unsafelyUnwrapped + row * stride, source, count)
  }
}
