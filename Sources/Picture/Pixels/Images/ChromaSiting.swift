/// The position of the chroma samples of a 4:2:0 picture relative to its luma samples (H.273,
/// figure 10).
package enum ChromaSiting: String, Hashable, Sendable, Codable, CaseIterable {
  /// On the even columns, halfway between two rows: MPEG-2's, the usual one.
  case left
  /// In the middle of four luma samples: JPEG's and MPEG-1's.
  case center
  /// On the even columns and the even rows: BT.2020's.
  case topLeft
  /// Halfway between two columns, on the even rows.
  case top
  /// On the even columns and the odd rows.
  case bottomLeft
  /// Halfway between two columns, on the odd rows.
  case bottom
}

extension ChromaSiting {
  var columns: AxisMapping.Siting {
    switch self {
    case .left, .topLeft, .bottomLeft: .chromaFirst
    case .center, .top, .bottom: .chromaBetween
    }
  }

  var rows: AxisMapping.Siting {
    switch self {
    case .left, .center: .chromaBetween
    case .topLeft, .top: .chromaFirst
    case .bottomLeft, .bottom: .chromaSecond
    }
  }
}
