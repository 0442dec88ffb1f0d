/// Bands of one, two or three tiles, as in Apple's sample "Customizing Collection View Layouts".
///
/// The bands follow one another as: one tile, two halves, two thirds beside two small ones, two
/// small ones beside two thirds, and again from the halves on; the last one or two items get a band
/// of one or two tiles.
public struct MosaicLayout: LayoutPolicy, Hashable {
  /// The height of a band, for content that scrolls, with the sample's gutters of one pixel; nil
  /// divides the canvas among the bands.
  public var bandHeight: Double?

  /// A mosaic that fills the canvas, or one with bands of a given height.
  public init(bandHeight: Double? = nil) {
    self.bandHeight = bandHeight
  }

  init(options: inout LayoutOptions) throws(LayoutError) {
    bandHeight = try options.number("band", in: 16...4096)
  }

  public var seating: Seating { .seats }

  public func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old)
  }

  public func prepare(_ context: LayoutContext) -> Arrangement {
    let bands = Band.bands(count: context.items.count)
    guard let bandHeight else {
      let bounds = context.tilingBounds
      let height = bounds.height / Double(max(1, bands.count))
      let cells = bands.enumerated().flatMap { index, band in
        band.cells(
          in: Rect(
            x: bounds.x, y: bounds.y + Double(index) * height, width: bounds.width,
            height: height), split: Band.split)
      }
      return arrangement(context, cells.map { context.frame(ofCell: $0) }, context.canvas)
    }
    let cells = bands.enumerated().flatMap { index, band in
      band.cells(
        in: Rect(
          x: 0, y: 1 + Double(index) * (bandHeight + 1), width: context.canvas.width,
          height: bandHeight), split: Band.splitWithGutter)
    }
    let height = Double(bands.count) * (bandHeight + 1)
    return arrangement(context, cells, Size(width: context.canvas.width, height: height))
  }

  private func arrangement(
    _ context: LayoutContext, _ frames: [Rect], _ contentSize: Size
  ) -> Arrangement {
    Arrangement(
      contentSize: contentSize,
      attributes: zip(context.items, frames).map { LayoutAttributes($0, frame: $1) })
  }
}

extension MosaicLayout {
  /// A row of tiles across the canvas.
  enum Band {
    case fullWidth
    case fiftyFifty
    case twoThirdsOneThird
    case oneThirdTwoThirds

    /// Two parts of a rectangle, the first of which takes a fraction of its width or height.
    typealias Split = (_ rect: Rect, _ fraction: Double, _ isAcross: Bool) -> (Rect, Rect)

    /// The bands that hold `count` items.
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

    private var count: Int {
      switch self {
      case .fullWidth: 1
      case .fiftyFifty: 2
      case .twoThirdsOneThird, .oneThirdTwoThirds: 3
      }
    }

    /// The tiles of the band in `rect`, in the order of the items.
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

    /// The parts without a distance between them.
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

    /// The parts as the sample cuts them: the first rounded up to a whole pixel, then one pixel
    /// that belongs to neither.
    static func splitWithGutter(
      _ rect: Rect, _ fraction: Double, _ isAcross: Bool
    ) -> (Rect, Rect) {
      let extent = isAcross ? rect.width : rect.height
      // Two thirds of a multiple of three may come out a last bit above the whole number.
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
