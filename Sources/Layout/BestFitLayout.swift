/// Tiles whose shape may vary between two limits, packed so that they take the most area, big ones
/// in an area of their own beside the small: the algorithm of opentok-layout-js.
///
/// Focused items and screens are big. All ratios are height over width, as in the original.
public struct BestFitLayout: LayoutPolicy, Hashable {
  /// The big items' share of the canvas, above 0 and below 1.
  public var bigFraction: Double
  /// Whether the big items come before the small ones.
  public var bigFirst: Bool
  /// How tiles are packed.
  public var packing: Packing

  /// A layout whose big items take four fifths of the canvas.
  public init(bigFraction: Double = 0.8, bigFirst: Bool = true, packing: Packing = Packing()) {
    self.bigFraction = bigFraction
    self.bigFirst = bigFirst
    self.packing = packing
  }

  init(options: inout LayoutOptions) throws(LayoutError) {
    let limit = Packing()
    let ratios = 0.1...10.0
    self.init(
      bigFraction: try options.number("big", in: 0.1...0.95) ?? 0.8,
      bigFirst: try options.flag("big-first") ?? true,
      packing: Packing(
        ratios: try Self.range(
          options.number("min-ratio", in: ratios) ?? limit.ratios.lowerBound,
          options.number("max-ratio", in: ratios) ?? limit.ratios.upperBound),
        isFixed: try options.flag("fixed") ?? false,
        alignment: try options.choice("align") ?? .center,
        growsShortRows: try options.flag("scale-last-row") ?? true,
        prefersEvenRows: try options.flag("even-rows") ?? true))
  }

  private static func range(_ a: Double, _ b: Double) -> ClosedRange<Double> {
    min(a, b)...max(a, b)
  }

  public func shouldInvalidate(from old: LayoutContext, to new: LayoutContext) -> Bool {
    !new.hasSamePlaces(as: old)
  }

  public func prepare(_ context: LayoutContext) -> Arrangement {
    let items = context.items
    let isBig = items.map { $0.isFocused || $0.kind == .screen }
    let bounds = context.tilingBounds
    var frames = [Rect](repeating: bounds, count: items.count)
    func pack(_ indexes: [Int], in area: Rect) {
      let boxes = packing.boxes(indexes.map { 1 / items[$0].packedAspectRatio }, in: area.size)
      for (index, box) in zip(indexes, boxes) {
        frames[index] = box.translated(by: Point(x: area.x, y: area.y))
      }
    }
    let big = items.indices.filter { isBig[$0] }
    let small = items.indices.filter { !isBig[$0] }
    if let first = big.first, !small.isEmpty {
      let areas = areas(bounds, bigRatio: 1 / items[first].packedAspectRatio)
      pack(big, in: areas.big)
      pack(small, in: areas.small)
    } else {
      pack(Array(items.indices), in: bounds)
    }
    let attributes = items.enumerated().map { index, item in
      LayoutAttributes(
        item, frame: context.frame(ofCell: frames[index]), traits: isBig[index] ? .large : [])
    }
    return Arrangement(contentSize: context.canvas, attributes: attributes)
  }

  /// The areas of the big and of the small items: one above the other where the canvas is taller
  /// than the first big item, else side by side.
  private func areas(_ bounds: Rect, bigRatio: Double) -> (big: Rect, small: Rect) {
    let isTall = bounds.height / bounds.width > bigRatio
    let extent = isTall ? bounds.height : bounds.width
    let parts = bounds.divided(
      large: (extent * bigFraction).rounded(.down),
      stripAt: isTall ? (bigFirst ? .bottom : .top) : (bigFirst ? .right : .left))
    return (parts.large, parts.strip)
  }
}

extension LayoutItem {
  /// The aspect ratio that is packed with: 4:3, a stream of 640 by 480, until the real one is
  /// known.
  fileprivate var packedAspectRatio: Double { aspectRatio ?? 4.0 / 3.0 }
}
