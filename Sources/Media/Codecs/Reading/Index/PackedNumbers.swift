/// Numbers that lie close together, such as the times and the positions of packets, in half the
/// memory of an array: of 256 of them the first, and by how much each differs from it.
package struct PackedNumbers: Hashable, Sendable {
  private static let blockLength = 256

  private var firsts: [Int64] = []
  private var differences: [Int32] = []
  /// All of them, where a difference does not fit.
  private var far: [Int64]?

  /// No numbers.
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

extension PackedNumbers: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { far?.count ?? differences.count }

  package subscript(position: Int) -> Int64 {
    if let far { return far[position] }
    return firsts[position / Self.blockLength] &+ Int64(differences[position])
  }
}
