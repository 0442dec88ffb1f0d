extension Row {
  /// The sum of all samples.
  package var sum: Int {
    var sum: UInt32 = 0
    for index in 0..<count { unsafe sum &+= UInt32(base[index]) }
    return Int(sum)
  }

  /// The sum of the differences between all samples and those to the right of them.
  package var detail: Int {
    var sum: UInt32 = 0
    for index in 1..<max(1, count) {
      let (left, right) = unsafe (base[index - 1], base[index])
      sum &+= UInt32(max(left, right) &- min(left, right))
    }
    return Int(sum)
  }

  /// The sum of the differences between all samples and those of `other`, which has as many.
  package func difference(from other: borrowing Span<UInt8>) -> Int {
    var sum: UInt32 = 0
    for index in 0..<min(count, other.count) {
      let (here, there) = unsafe (base[index], other[unchecked: index])
      sum &+= UInt32(max(here, there) &- min(here, there))
    }
    return Int(sum)
  }

  /// Copies all samples to `other`, the first one to `place`, after which there have to be as many.
  package func copy(to other: inout MutableSpan<UInt8>, at place: Int) {
    for index in 0..<min(count, other.count - place) {
      unsafe other[unchecked: place + index] = base[index]
    }
  }
}
