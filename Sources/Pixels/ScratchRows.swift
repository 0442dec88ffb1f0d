internal import Glibc

/// Rows of bytes for sources that are narrower than the kernels read; grows, never shrinks.
@safe struct ScratchRows: ~Copyable {
  private var storage = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  private var width = 0

  init() {}

  deinit {
    unsafe storage.deallocate()
  }

  /// Makes room for so many rows of `width` bytes.
  mutating func prepare(rows: Int, width: Int) {
    self.width = width
    guard unsafe storage.count < rows * width else { return }
    unsafe storage.deallocate()
    unsafe storage = .allocate(capacity: rows * width)
    unsafe storage.initialize(repeating: 0)
  }

  /// Copies `count` bytes into row `row` and answers where that is.
  @unsafe mutating func copyRow(
    _ source: UnsafePointer<UInt8>, count: Int, to row: Int
  ) -> UnsafePointer<UInt8> {
    let start = unsafe storage.baseAddress.unsafelyUnwrapped + row * width
    unsafe memcpy(start, source, count)
    return unsafe UnsafePointer(start)
  }
}
