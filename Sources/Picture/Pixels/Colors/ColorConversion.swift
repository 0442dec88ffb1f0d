internal import CTesseraPixelKernels

/// A conversion of Y'CbCr samples between two color spaces: one 3x3 matrix and an offset. Primaries
/// and transfer curves are not changed.
///
/// This is an object so that clients do not depend on how the kernels store a matrix.
package final class ColorConversion: Sendable {
  /// The matrix in the kernels' fixed point, with chroma counted from 0.
  let matrix: tpk_matrix

  /// Creates the conversion from `source` to the canvas's colors; `nil` if the two are equal.
  package init?(from source: ColorSpace) {
    guard source != .canvas else { return nil }
    self.matrix = Self.fixedPoint(Self.rows(from: source, to: .canvas))
  }

  private static func rows(from source: ColorSpace, to target: ColorSpace) -> [[Double]] {
    // Gray stays gray, so chroma does not depend on luma, and luma's weight is the ratio of the
    // ranges.
    let blue = column(from: source, to: target, blue: 1 / source.chromaExtent, red: 0)
    let red = column(from: source, to: target, blue: 0, red: 1 / source.chromaExtent)
    let luma = target.lumaExtent / source.lumaExtent
    return [
      [luma, blue[0], red[0], target.lumaBlack - luma * source.lumaBlack],
      [0, blue[1], red[1], 0],
      [0, blue[2], red[2], 0],
    ]
  }

  /// Returns the target's samples for a chroma difference (`-0.5...0.5`) of the source at luma 0.
  private static func column(
    from source: ColorSpace, to target: ColorSpace, blue: Double, red: Double
  ) -> [Double] {
    let (from, to) = (source.matrix, target.matrix)
    let b = 2 * (1 - from.blue) * blue
    let r = 2 * (1 - from.red) * red
    let g = -(from.red * r + from.blue * b) / (1 - from.red - from.blue)
    let luma = to.red * r + (1 - to.red - to.blue) * g + to.blue * b
    return [
      luma * target.lumaExtent,
      (b - luma) / (2 * (1 - to.blue)) * target.chromaExtent,
      (r - luma) / (2 * (1 - to.red)) * target.chromaExtent,
    ]
  }

  private static func fixedPoint(_ rows: [[Double]]) -> tpk_matrix {
    func fixed(_ value: Double, _ one: Double) -> Int32 { Int32((value * one).rounded()) }
    let (l, b, r) = (rows[0], rows[1], rows[2])
    let lumaOffset = fixed(l[3] - 128 * (l[1] + l[2]), 8192) + 4096
    func chroma(_ row: [Double]) -> (Int32, Int32, Int32) {
      let weights = (fixed(row[1], 8192), fixed(row[2], 8192))
      return (weights.0, weights.1, 128 * (8192 - weights.0 - weights.1) + 4096)
    }
    return tpk_matrix(
      luma: (fixed(l[0], 8192), fixed(l[1], 8192), fixed(l[2], 8192), lumaOffset),
      blue: chroma(b), red: chroma(r))
  }
}

extension ColorSpace {
  /// The luma sample of black.
  fileprivate var lumaBlack: Double { range == .limited ? 16 : 0 }
  /// The difference between the luma samples of white and black.
  fileprivate var lumaExtent: Double { range == .limited ? 219 : 255 }
  /// The difference between the greatest and the least chroma sample.
  fileprivate var chromaExtent: Double { range == .limited ? 224 : 255 }
}
