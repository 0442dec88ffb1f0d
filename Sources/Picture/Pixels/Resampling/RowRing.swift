internal import CTesseraPixelKernels

/// A ring of interleaved, aligned row pairs between the two passes. It grows on demand and never
/// shrinks.
@safe struct RowRing: ~Copyable {
  private var storage = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// The address of every pair, stored twice in a row so that any window of the ring is
  /// consecutive.
  private var starts = unsafe UnsafeMutableBufferPointer<UnsafeMutablePointer<Int16>?>(
    start: nil, count: 0)
  /// The addresses in `starts`, moved to the first column that the vertical pass reads.
  private var columns = unsafe UnsafeMutableBufferPointer<UnsafePointer<Int16>?>(
    start: nil, count: 0)

  init() {}

  deinit {
    unsafe storage.deallocate()
    unsafe starts.deallocate()
    unsafe columns.deallocate()
  }

  /// Makes room for `pairs` pairs of rows of `width` samples, read from `column` on.
  mutating func prepare(pairs: Int, width: Int, column: Int) {
    let samples = width + Int(TPK_PAIR_PADDING)
    // Each pair takes an odd number of cache lines, so that pairs do not compete for the same cache
    // sets.
    let bytes = 64 * ((2 * MemoryLayout<Int16>.stride * samples + 63) / 64 | 1)
    if unsafe storage.count < bytes * pairs {
      unsafe storage.deallocate()
      unsafe storage = .allocate(byteCount: bytes * pairs, alignment: 64)
      unsafe storage.initializeMemory(as: UInt8.self, repeating: 0)
    }
    if unsafe starts.count < 2 * pairs {
      unsafe starts.deallocate()
      unsafe columns.deallocate()
      unsafe starts = .allocate(capacity: 2 * pairs)
      unsafe columns = .allocate(capacity: 2 * pairs)
    }
    let base = unsafe storage.baseAddress.unsafelyUnwrapped
    for slot in 0..<pairs {
      let samples = unsafe (base + slot * bytes).assumingMemoryBound(to: Int16.self)
      let first = unsafe UnsafePointer(samples + 2 * column)
      unsafe (starts[slot], starts[slot + pairs]) = (samples, samples)
      unsafe (columns[slot], columns[slot + pairs]) = (first, first)
    }
  }

  /// Returns the addresses at which the horizontal pass writes the pair of `slot` and the following
  /// ones.
  @unsafe func horizontal(slot: Int) -> UnsafePointer<UnsafeMutablePointer<Int16>?> {
    unsafe UnsafePointer(starts.baseAddress.unsafelyUnwrapped + slot)
  }

  /// The addresses at which the vertical pass reads the pairs.
  @unsafe var vertical: UnsafePointer<UnsafePointer<Int16>?> {
    unsafe UnsafePointer(columns.baseAddress.unsafelyUnwrapped)
  }
}
