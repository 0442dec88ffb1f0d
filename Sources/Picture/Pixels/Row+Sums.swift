extension Row {
  /// The sum of all samples.
  package var sum: Int {
    var sum: UInt32 = 0
    for index in 0..<count { unsafe sum &+= UInt32(base[index]) }
    return Int(sum)
  }

  /// The sum of absolute differences between horizontally adjacent samples.
  package var detail: Int {
    var sum: Int32 = 0
    for index in 1..<max(1, count) {
      unsafe sum &+= abs(Int32(base[index - 1]) &- Int32(base[index]))
    }
    return Int(sum)
  }

  /// Returns the sum of absolute differences between these samples and those in `kept` from `place`
  /// on, and stores these samples there.
  package func difference(replacing kept: inout MutableSpan<UInt8>, at place: Int) -> Int {
    let count = min(count, kept.count - place)
    guard count > 0 else { return 0 }
    return unsafe kept.withUnsafeMutableBufferPointer { kept in
      let there = unsafe kept.baseAddress.unsafelyUnwrapped + place
      var sum: Int32 = 0
      // The sum has 32 bits because compilers recognize sums of absolute differences by that.
      for index in 0..<count {
        unsafe sum &+= abs(Int32(base[index]) &- Int32(there[index]))
      }
      unsafe there.update(from: base, count: count)
      return Int(sum)
    }
  }
}
