extension MosaicLayout {
  /// A rectangle with one to three tiles.
  enum Band {
    case fullWidth
    case fiftyFifty
    case twoThirdsOneThird
    case oneThirdTwoThirds

    /// A function that divides a rectangle into two parts, the first with `fraction` of its width
    /// (`isAcross`) or height.
    typealias Split = (_ rect: Rect, _ fraction: Double, _ isAcross: Bool) -> (Rect, Rect)

    /// Returns the bands for `count` items.
    static func bands(count: Int) -> [Band] {
      var bands: [Band] = []
      var remaining = count
      while remaining > 0 {
        let band: Band =
          switch (remaining, bands.last) {
          case (1, _), (_, nil): .fullWidth
          case (2, _), (_, .fullWidth), (_, .oneThirdTwoThirds): .fiftyFifty
          case (_, .fiftyFifty): .twoThirdsOneThird
          case (_, .twoThirdsOneThird): .oneThirdTwoThirds
          }
        bands.append(band)
        remaining -= band.count
      }
      return bands
    }

    /// The aspect ratio of a band in Apple's sample: width over height.
    private static let shape = 375.0 / 200.0

    /// Returns the areas of `count` bands that divide `bounds`, row by row. If the rows are uneven,
    /// the later rows have one band more.
    static func areas(count: Int, in bounds: Rect) -> [Rect] {
      func distortion(_ rows: Int) -> Double {
        let ratio = bounds.size.aspectRatio * Double(rows * rows) / Double(count) / shape
        return max(ratio, 1 / ratio)
      }
      let rows = (1...max(1, count)).min { distortion($0) < distortion($1) } ?? 1
      let height = bounds.height / Double(rows)
      return (0..<rows).flatMap { row in
        let columns = (row + 1) * count / rows - row * count / rows
        let width = bounds.width / Double(columns)
        return (0..<columns).map { column in
          Rect(
            x: bounds.x + Double(column) * width, y: bounds.y + Double(row) * height,
            width: width, height: height)
        }
      }
    }

    private var count: Int {
      switch self {
      case .fullWidth: 1
      case .fiftyFifty: 2
      case .twoThirdsOneThird, .oneThirdTwoThirds: 3
      }
    }

    /// Returns the tiles of the band in `rect`, in the order of the items.
    func cells(in rect: Rect, split: Split) -> [Rect] {
      switch self {
      case .fullWidth: return [rect]
      case .fiftyFifty:
        let (left, right) = split(rect, 0.5, true)
        return [left, right]
      case .twoThirdsOneThird:
        let (left, right) = split(rect, 2.0 / 3.0, true)
        let (upper, lower) = split(right, 0.5, false)
        return [left, upper, lower]
      case .oneThirdTwoThirds:
        let (left, right) = split(rect, 1.0 / 3.0, true)
        let (upper, lower) = split(left, 0.5, false)
        return [upper, lower, right]
      }
    }

    /// Divides `rect` without a distance between the parts.
    static func split(_ rect: Rect, _ fraction: Double, _ isAcross: Bool) -> (Rect, Rect) {
      let (lineX, lineY) = (rect.x + rect.width * fraction, rect.y + rect.height * fraction)
      return isAcross
        ? (
          Rect(left: rect.x, top: rect.y, right: lineX, bottom: rect.maxY),
          Rect(left: lineX, top: rect.y, right: rect.maxX, bottom: rect.maxY)
        )
        : (
          Rect(left: rect.x, top: rect.y, right: rect.maxX, bottom: lineY),
          Rect(left: rect.x, top: lineY, right: rect.maxX, bottom: rect.maxY)
        )
    }

    /// Divides `rect` as Apple's sample does: the first part rounded up to a whole pixel, then one
    /// pixel that belongs to neither part.
    static func splitWithGutter(
      _ rect: Rect, _ fraction: Double, _ isAcross: Bool
    ) -> (Rect, Rect) {
      let extent = isAcross ? rect.width : rect.height
      // Two thirds of a multiple of three may be a last bit above the whole number.
      let length = (extent * fraction - 1e-9).rounded(.up)
      var (first, second) = split(rect, length / extent, isAcross)
      if isAcross {
        first.width = length
        (second.x, second.width) = (rect.x + length + 1, extent - length - 1)
      } else {
        first.height = length
        (second.y, second.height) = (rect.y + length + 1, extent - length - 1)
      }
      return (first, second)
    }
  }
}
