internal import Glibc

/// How a source's colors stand for light, beside what ``ColorSpace`` says of its numbers.
package struct Light: Hashable, Sendable, Codable {
  /// How R'G'B' numbers become light.
  package enum Transfer: String, Hashable, Sendable, Codable, CaseIterable {
    /// The display's 2.4 power of BT.1886, for standard dynamic range.
    case sdr
    /// The perceptual quantiser of SMPTE ST 2084, up to 10,000 cd/m².
    case pq
    /// The hybrid log-gamma of BT.2100, on a display of 1000 cd/m².
    case hlg
  }

  /// Which red, green and blue are meant.
  package enum Primaries: String, Hashable, Sendable, Codable, CaseIterable {
    /// BT.709, and what is near it.
    case bt709
    /// BT.2020.
    case bt2020
  }

  /// How R'G'B' numbers become light.
  package var transfer: Transfer
  /// Which red, green and blue are meant.
  package var primaries: Primaries
  /// The light of the brightest highlights that can still be distinguished, in cd/m²,
  /// 1000...10000; of the perceptual quantiser only.
  package var peak: Int

  /// The light of that transfer and those primaries, with highlights up to `peak` cd/m² (brought
  /// into 1000...10000).
  package init(transfer: Transfer, primaries: Primaries, peak: Int = Self.usualPeak) {
    self.transfer = transfer
    self.primaries = primaries
    self.peak = transfer == .pq ? max(Self.usualPeak, min(10_000, peak)) : Self.usualPeak
  }

  /// The peak of the display on which hybrid log-gamma is defined, and of a master that does not
  /// say what it was made on.
  package static let usualPeak = 1000

  /// What a canvas holds.
  package static let canvas = Light(transfer: .sdr, primaries: .bt709)
}

extension Light {
  /// The light of diffuse white in high dynamic range, in cd/m², which becomes the canvas's white
  /// (BT.2408).
  static let white = 203.0
  /// The share of ``white`` up to which light stays as it is.
  static let knee = 0.7

  /// The light, 1 for the canvas's white, of BT.709's red, green and blue that R'G'B' numbers
  /// (0...1) stand for; each in -0.02...1.
  func canvasLight(_ signal: SIMD3<Double>, weights: SIMD3<Double>) -> SIMD3<Double> {
    var light: SIMD3<Double>
    switch transfer {
    case .sdr: light = signal.map { pow(max(0, $0), 2.4) }
    case .pq: light = toneMapped(signal.map(Self.perceptual))
    case .hlg:
      // The display's part: a power of 1.2 of the luminance (BT.2100, table 5).
      let scene = signal.map(Self.hybrid)
      let luminance = (weights * scene).sum()
      light = toneMapped(scene * (Double(peak) * pow(max(luminance, 1e-9), 0.2)))
    }
    if primaries == .bt2020 { light = Self.fromBT2020(light) }
    // What BT.709 cannot show loses what it has too much (BT.2407, clipping). A little below black
    // stays, so that what lies between such a color and another has none of it, or as little.
    return light.clamped(lowerBound: SIMD3(repeating: -0.02), upperBound: .one)
  }

  /// cd/m² to 0...1, highlights compressed.
  ///
  /// The greatest of the three components is mapped, and the others keep their proportion to it. As
  /// in the EETF of BT.2390 this is done in the units of the perceptual quantiser: nothing is
  /// changed up to a knee; from there on a shoulder of slope 1 at the knee reaches white where the
  /// source has its peak. It is a hyperbola where BT.2390 has a cubic, which needs a knee far
  /// lower.
  private func toneMapped(_ light: SIMD3<Double>) -> SIMD3<Double> {
    let most = light.max()
    let (start, end) = (Self.quantized(Self.knee * Self.white), Self.quantized(Double(peak)))
    let value = min(end, Self.quantized(most))
    guard most > 0, value > start else { return light / Self.white }
    let x = (value - start) / (end - start)
    let reach = (Self.quantized(Self.white) - start) / (end - start)
    let shoulder = x / (1 + x * (1 / reach - 1))
    let mapped = Self.perceptual(start + shoulder * (end - start))
    return light * (mapped / (most * Self.white))
  }

  /// The light of a number of the perceptual quantiser, in cd/m² (ST 2084).
  private static func perceptual(_ number: Double) -> Double {
    let power = pow(max(0, min(1, number)), 32.0 / 2523)
    return 10000
      * pow(max(0, power - 3424.0 / 4096) / (2413.0 / 128 - 2392.0 / 128 * power), 8192.0 / 1305)
  }

  /// The number of the perceptual quantiser for a light in cd/m².
  private static func quantized(_ light: Double) -> Double {
    let power = pow(max(0, light) / 10000, 1305.0 / 8192)
    return pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
  }

  /// The scene's light of a number of the hybrid log-gamma, 1 for its peak (BT.2100, table 5).
  private static func hybrid(_ number: Double) -> Double {
    guard number > 0.5 else { return max(0, number) * max(0, number) / 3 }
    return (exp((min(1, number) - 0.55991073) / 0.17883277) + 0.28466892) / 12
  }

  /// BT.2020's red, green and blue as BT.709's (BT.2087).
  private static func fromBT2020(_ light: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      (SIMD3(1.660491, -0.587641, -0.072850) * light).sum(),
      (SIMD3(-0.124550, 1.132900, -0.008349) * light).sum(),
      (SIMD3(-0.018151, -0.100579, 1.118730) * light).sum())
  }
}

extension SIMD3<Double> {
  fileprivate func map(_ function: (Double) -> Double) -> SIMD3<Double> {
    SIMD3(function(x), function(y), function(z))
  }
}
