/// Makes silence of what cannot be sound, for damaged streams of floating-point samples hold
/// anything.
enum SampleRepair {
  /// 24 dB above full scale.
  private static let loudest: Float = 16
  /// Nothing that small is heard, and processors are slow with what is smaller still.
  private static let smallest: Float = 1e-30

  /// Repairs `samples`; returns how many of them could not be sound.
  static func repair(_ samples: inout [Float]) -> Int {
    var count = 0
    for index in samples.indices {
      let magnitude = abs(samples[index])
      if magnitude <= loudest, magnitude >= smallest || magnitude == 0 { continue }
      if !(magnitude < smallest) { count += 1 }
      samples[index] = 0
    }
    return count
  }
}
