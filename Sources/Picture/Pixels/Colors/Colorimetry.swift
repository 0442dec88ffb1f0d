internal import Glibc

/// The transfer function, primaries and peak luminance of a source: the mapping of its R'G'B' to
/// light. ``ColorSpace`` maps Y'CbCr to R'G'B'.
package struct Colorimetry: Hashable, Sendable, Codable {
  /// The transfer function from R'G'B' to linear light.
  package enum Transfer: String, Hashable, Sendable, Codable, CaseIterable {
    /// The display's 2.4 power of BT.1886, for standard dynamic range.
    case sdr
    /// The perceptual quantizer (PQ) of SMPTE ST 2084, up to 10,000 cd/m².
    case pq
    /// Hybrid log-gamma (HLG) of BT.2100, on a display of 1000 cd/m².
    case hlg
  }

  /// The color primaries.
  package enum Primaries: String, Hashable, Sendable, Codable, CaseIterable {
    /// BT.709 and primaries close to it.
    case bt709
    /// BT.2020.
    case bt2020
  }

  package var transfer: Transfer
  package var primaries: Primaries
  /// The luminance of the brightest distinguishable highlights in cd/m², `1000...10000`. Above 1000
  /// only for ``Transfer/pq``.
  package var peak: Int

  /// Creates a light description. `peak` is in cd/m² and is clamped to `1000...10000`; for other
  /// transfers than ``Transfer/pq`` it is 1000.
  package init(transfer: Transfer, primaries: Primaries, peak: Int = Self.defaultPeak) {
    self.transfer = transfer
    self.primaries = primaries
    self.peak = transfer == .pq ? max(Self.defaultPeak, min(10_000, peak)) : Self.defaultPeak
  }

  /// The peak luminance in cd/m² of the display that defines hybrid log-gamma, and the default for
  /// a PQ source without mastering metadata.
  package static let defaultPeak = 1000

  /// The transfer and primaries of a canvas.
  package static let canvas = Colorimetry(transfer: .sdr, primaries: .bt709)
}

extension Colorimetry {
  /// The luminance of diffuse white in high dynamic range, in cd/m², which maps to the canvas's
  /// white (BT.2408).
  static let white = 203.0
  /// The fraction of ``white`` up to which tone mapping does not change the luminance.
  static let knee = 0.7

  /// Returns the linear light of BT.709 primaries for the R'G'B' `signal`, with 1 for the canvas's
  /// white. Each component is in `-0.02...1`. `weights` are the luma weights of red, green and
  /// blue.
  func canvasLight(_ signal: SIMD3<Double>, weights: SIMD3<Double>) -> SIMD3<Double> {
    var light: SIMD3<Double>
    switch transfer {
    case .sdr: light = signal.map { pow(max(0, $0), 2.4) }
    case .pq: light = toneMapped(signal.map(Self.perceptual))
    case .hlg:
      // The display's part of HLG: a power of 1.2 of the luminance (BT.2100, table 5).
      let scene = signal.map(Self.hybrid)
      let luminance = (weights * scene).sum()
      light = toneMapped(scene * (Double(peak) * pow(max(luminance, 1e-9), 0.2)))
    }
    if primaries == .bt2020 { light = Self.fromBT2020(light) }
    // Colors that BT.709 cannot show are clipped (BT.2407). Values slightly below black are kept,
    // so that interpolation between such a color and another one is correct.
    return light.clamped(lowerBound: SIMD3(repeating: -0.02), upperBound: .one)
  }

  /// Returns light in cd/m² mapped to `0...1`, with highlights compressed.
  ///
  /// The greatest of the three components is mapped, and the others keep their ratio to it. As in
  /// the EETF of BT.2390, the mapping is in units of the perceptual quantizer. It is the identity
  /// up to a knee. From there, a shoulder of slope 1 at the knee reaches white at the source's
  /// peak. The shoulder is a hyperbola; BT.2390's cubic would need a much lower knee.
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

  /// Returns the light in cd/m² of a sample of the perceptual quantizer (ST 2084).
  private static func perceptual(_ number: Double) -> Double {
    let power = pow(max(0, min(1, number)), 32.0 / 2523)
    return 10000
      * pow(max(0, power - 3424.0 / 4096) / (2413.0 / 128 - 2392.0 / 128 * power), 8192.0 / 1305)
  }

  /// Returns the sample of the perceptual quantizer for `light` in cd/m².
  private static func quantized(_ light: Double) -> Double {
    let power = pow(max(0, light) / 10000, 1305.0 / 8192)
    return pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
  }

  /// Returns the scene light of a hybrid log-gamma sample, with 1 for its peak (BT.2100, table 5).
  private static func hybrid(_ number: Double) -> Double {
    guard number > 0.5 else { return max(0, number) * max(0, number) / 3 }
    return (exp((min(1, number) - 0.55991073) / 0.17883277) + 0.28466892) / 12
  }

  /// Converts linear light from BT.2020 to BT.709 primaries (BT.2087).
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
