import Glibc

/// Coding of levels in a byte: half decibels from -120 dB (silence) to 7.5 dB.
package enum LevelByteCoding {
  /// Returns the code nearest to `decibels`.
  package static func code(_ decibels: Double) -> UInt8 {
    UInt8(min(255, max(0, (2 * (decibels + 120)).rounded())))
  }

  /// Returns the code of a linear amplitude.
  package static func code(amplitude: Float) -> UInt8 {
    amplitude > 0 ? code(20 * log10(Double(amplitude))) : 0
  }

  package static func decibels(_ code: UInt8) -> Double { Double(code) / 2 - 120 }

  /// The power of each code.
  package static let powers: [Double] = (0...255).map {
    $0 == 0 ? 0 : pow(10, decibels(UInt8($0)) / 10)
  }
}
