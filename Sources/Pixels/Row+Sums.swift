extension Row {
  /// The sum of all samples.
  package var sum: Int {
    var sum: UInt32 = 0
    for index in 0..<count { unsafe sum &+= UInt32(base[index]) }
    return Int(sum)
  }

  /// The sum of all samples, and that of their squares.
  package var sums: (plain: Int, squared: Int) {
    var (plain, squared): (UInt32, UInt64) = (0, 0)
    for index in 0..<count {
      let value = unsafe UInt32(base[index])
      plain &+= value
      squared &+= UInt64(value &* value)
    }
    return (Int(plain), Int(squared))
  }
}
