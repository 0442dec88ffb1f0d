/// A compact array of integers close to each other, such as timestamps and file offsets. Takes half
/// the memory of `[Int64]`: each block of 256 stores its first number and 32-bit differences from
/// it.
package struct PackedIntegerArray: Hashable, Sendable {
  private static let blockLength = 256

  private var firsts: [Int64] = []
  private var differences: [Int32] = []
  /// All numbers uncompressed, once a difference did not fit into 32 bits; otherwise `nil`.
  private var far: [Int64]?

  /// Creates an empty list.
  package init() {}

  init(_ numbers: some Sequence<Int64>) {
    for number in numbers { append(number) }
  }

  mutating func reserveCapacity(_ count: Int) {
    firsts.reserveCapacity(count / Self.blockLength + 1)
    differences.reserveCapacity(count)
  }

  mutating func append(_ number: Int64) {
    guard far == nil else {
      far?.append(number)
      return
    }
    if differences.count.isMultiple(of: Self.blockLength) { firsts.append(number) }
    let (difference, overflows) = number.subtractingReportingOverflow(firsts[firsts.count - 1])
    guard !overflows, let short = Int32(exactly: difference) else {
      far = Array(self) + [number]
      (firsts, differences) = ([], [])
      return
    }
    differences.append(short)
  }
}

extension PackedIntegerArray: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { far?.count ?? differences.count }

  package subscript(position: Int) -> Int64 {
    if let far { return far[position] }
    return firsts[position / Self.blockLength] &+ Int64(differences[position])
  }
}
