/// The matrix and range of a Y'CbCr picture: the mapping of its samples to R'G'B'.
package struct ColorSpace: Hashable, Sendable, Codable {
  /// The matrix coefficients: the weights of red and blue in luma.
  package enum Matrix: String, Hashable, Sendable, Codable, CaseIterable {
    case bt601
    case bt709
    case bt2020

    /// The weight of red in luma (BT.601, BT.709 and BT.2020, non-constant luminance).
    var red: Double {
      switch self {
      case .bt601: 0.299
      case .bt709: 0.2126
      case .bt2020: 0.2627
      }
    }

    /// The weight of blue in luma.
    var blue: Double {
      switch self {
      case .bt601: 0.114
      case .bt709: 0.0722
      case .bt2020: 0.0593
      }
    }
  }

  /// The range of samples from black to white.
  package enum Range: String, Hashable, Sendable, Codable, CaseIterable {
    /// Luma 16...235, chroma 16...240.
    case limited
    /// Luma and chroma 0...255.
    case full
  }

  package var matrix: Matrix
  package var range: Range

  package init(matrix: Matrix, range: Range) {
    self.matrix = matrix
    self.range = range
  }

  /// The color space of a canvas: BT.709, limited range.
  package static let canvas = ColorSpace(matrix: .bt709, range: .limited)

  /// Returns the color space assumed for an untagged picture of `rows` rows: BT.601 up to 576,
  /// otherwise BT.709.
  package static func untagged(rows: Int, range: Range = .limited) -> ColorSpace {
    ColorSpace(matrix: rows <= 576 ? .bt601 : .bt709, range: range)
  }
}
