/// Replaces invalid samples by silence. Damaged streams of floating-point samples may contain any
/// value, including NaN.
enum InvalidSampleRepair {
  /// The largest valid magnitude: 24 dB above full scale.
  private static let loudest: Float = 16
  /// The smallest magnitude that is kept. Smaller ones are inaudible, and denormals are slow to
  /// process.
  private static let smallest: Float = 1e-30

  /// Repairs `samples` in place and returns the number of invalid ones.
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
