import Glibc

/// The discrete Fourier transform of complex numbers, in place (Cooley and Tukey, radix 2).
struct FourierTransform {
  /// The number of values, a power of two.
  let count: Int
  /// The cosines of each pass's angles, concatenated: the pass with `half` butterflies starts at
  /// index `half`.
  private var cosines: [Double]
  /// The sines of each pass's angles, laid out as ``cosines``.
  private var sines: [Double]

  /// Creates a transform of the smallest power of two that is at least `count`.
  init(atLeast count: Int) {
    var size = 2
    while size < count { size *= 2 }
    self.count = size
    (cosines, sines) = ([0], [0])
    var half = 1
    while half < size {
      let angles = (0..<half).map { -Double.pi * Double($0) / Double(half) }
      cosines += angles.map { cos($0) }
      sines += angles.map { sin($0) }
      half *= 2
    }
  }

  /// Replaces the values by their unscaled forward transform.
  func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    reorder(&real, &imaginary)
    var half = 1
    while half < count {
      for first in stride(from: 0, to: count, by: 2 * half) {
        for offset in 0..<half {
          let (a, b) = (first &+ offset, first &+ offset &+ half)
          let (c, s) = (cosines[half &+ offset], sines[half &+ offset])
          let (x, y) = (real[b] * c - imaginary[b] * s, real[b] * s + imaginary[b] * c)
          (real[b], imaginary[b]) = (real[a] - x, imaginary[a] - y)
          (real[a], imaginary[a]) = (real[a] + x, imaginary[a] + y)
        }
      }
      half *= 2
    }
  }

  /// Reorders the values by the reversed bits of their indices.
  private func reorder(_ real: inout [Double], _ imaginary: inout [Double]) {
    var target = 0
    for index in 1..<count {
      var bit = count >> 1
      while target & bit != 0 {
        target ^= bit
        bit >>= 1
      }
      target |= bit
      if index < target {
        real.swapAt(index, target)
        imaginary.swapAt(index, target)
      }
    }
  }

  /// The transforms of common sizes, computed once.
  private static let known = (9...17).map { FourierTransform(atLeast: 1 << $0) }

  /// Computes the cross-correlation of `short` with `long` for every lag from 0 to `long.count -
  /// short.count`.
  ///
  /// If `isWhitened`, all frequencies are weighted equally.
  static func correlation(
    _ short: ArraySlice<Double>, in long: ArraySlice<Double>, isWhitened: Bool
  ) -> [Double] {
    guard !short.isEmpty, long.count >= short.count else { return [] }
    let transform =
      known.first { $0.count >= long.count } ?? FourierTransform(atLeast: long.count)
    let padding = { (values: ArraySlice<Double>) in
      Array(values) + [Double](repeating: 0, count: transform.count - values.count)
    }
    // Two real sequences are transformed as one complex sequence.
    var (real, imaginary) = (padding(long), padding(short))
    transform.transform(&real, &imaginary)
    var (productReal, productImaginary) = (real, imaginary)
    for index in 0..<transform.count {
      let mirror = (transform.count - index) % transform.count
      let (a, b) = ((real[index] + real[mirror]) / 2, (imaginary[index] - imaginary[mirror]) / 2)
      let (c, d) = ((imaginary[index] + imaginary[mirror]) / 2, (real[mirror] - real[index]) / 2)
      var (x, y) = (a * c + b * d, b * c - a * d)
      if isWhitened {
        let magnitude = max(1e-12, (x * x + y * y).squareRoot())
        (x, y) = (x / magnitude.squareRoot(), y / magnitude.squareRoot())
      }
      // The inverse transform is the forward transform of the conjugate.
      (productReal[index], productImaginary[index]) = (x, -y)
    }
    transform.transform(&productReal, &productImaginary)
    return productReal[...(long.count - short.count)].map { $0 / Double(transform.count) }
  }
}
