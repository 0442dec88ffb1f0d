import Glibc

/// Levels in bytes: half decibels from -120 dB, which is silence, to 7.5 dB.
package enum LevelCode {
  /// The byte that is nearest to `decibels`.
  package static func code(_ decibels: Double) -> UInt8 {
    UInt8(min(255, max(0, (2 * (decibels + 120)).rounded())))
  }

  /// The byte of an amplitude.
  package static func code(amplitude: Float) -> UInt8 {
    amplitude > 0 ? code(20 * log10(Double(amplitude))) : 0
  }

  /// The level that a byte stands for, in decibels.
  package static func decibels(_ code: UInt8) -> Double { Double(code) / 2 - 120 }

  /// The power of every byte.
  package static let powers: [Double] = (0...255).map {
    $0 == 0 ? 0 : pow(10, decibels(UInt8($0)) / 10)
  }
}
