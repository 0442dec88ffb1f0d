/// The shape that the tiles of a grid have: one for all of them, so that rows are even, and one
/// that nearly every picture fills, so that hardly anything else is seen.
///
/// By ``Fit/auto`` a picture fills every tile that crops at most a third of it; on an upright
/// canvas, or where most pictures are upright, a wide picture fills one of 3:4, too. The tiles fill
/// their cells where all pictures can do so. Else they are as near to that as all pictures can fill
/// them, but in cells that are too flat not flatter than the widest picture. Where pictures have no
/// such shape in common, it is that of most of them, and the others leave bars, as upright pictures
/// do wherever there are no others in a lying cell. By any other fit the tiles are the cells.
struct TileShape {
  /// The size of the tiles.
  let size: Size
  private let fit: Fit
  private let isUpright: Bool

  /// The shape of tiles in cells of size `cell` for the pictures of `items`.
  init(_ items: [LayoutItem], in cell: Size, _ context: LayoutContext) {
    fit = context.fit
    let cameras = items.filter { $0.kind == .camera }
    let known = cameras.compactMap(\.aspectRatio)
    let ratios = known.isEmpty ? cameras.map(\.plannedAspectRatio) : known
    let uprightCount = ratios.count { $0 < 1 }
    let areUpright = uprightCount * 2 > ratios.count
    let isUpright = context.isUpright || areUpright
    self.isUpright = isUpright
    guard fit == .auto, !ratios.isEmpty else {
      size = cell
      return
    }
    func common(_ ratios: [Double]) -> (shape: Double, isCommon: Bool) {
      let limits = ratios.map { Self.limits($0, isUpright) }
      let least = limits.map(\.lowerBound).max() ?? 0
      let most = limits.map(\.upperBound).min() ?? .infinity
      let shape = cell.aspectRatio
      guard least <= most else { return (max(most, min(least, shape)), false) }
      guard shape > most else { return (max(least, shape), true) }
      let widest = ratios.max() ?? most
      guard widest < 1 else { return (max(least, min(most, widest)), true) }
      return (shape < 1 ? most : shape, true)
    }
    var (shape, isCommon) = common(ratios)
    if !isCommon, uprightCount > 0, uprightCount < ratios.count {
      (shape, isCommon) = common(ratios.filter { ($0 < 1) == areUpright })
    }
    size = shape == cell.aspectRatio ? cell : cell.fitted(aspectRatio: shape)
  }

  /// How much of a tile the picture of `item` covers, where that is not what the fit makes of it.
  func coverage(of item: LayoutItem) -> Double? {
    item.kind == .camera ? item.aspectRatio.flatMap(coverage) : nil
  }

  private func coverage(of ratio: Double) -> Double? {
    let (limits, shape) = (Self.limits(ratio, isUpright), size.aspectRatio)
    // The last bits of a shape that lies on a limit do not matter.
    let isFilled =
      shape >= limits.lowerBound * (1 - 1e-9) && shape <= limits.upperBound * (1 + 1e-9)
    return fit == .auto && isFilled ? 1 : nil
  }

  /// What showing `item` is worth: the area that it takes. What is cropped of the width makes faces
  /// larger and counts for a part, what is cropped of the height is taken from heads and costs
  /// twice. By any other fit, and for a screen, that of the whole picture.
  func value(of item: LayoutItem) -> Double {
    let ratio = item.plannedAspectRatio
    guard item.kind == .camera, fit == .auto else { return size.fitted(aspectRatio: ratio).area }
    let place = Fit.Placement(
      aspectRatio: ratio, in: size.bounds,
      coverage: coverage(of: ratio) ?? fit.coverage(aspectRatio: ratio, in: size))
    let (width, height) = (place.crop.width, place.crop.height)
    return place.destination.size.area * (1 + 0.4 * (1 - width)) * height * height
  }

  /// The shapes of tiles that a picture of shape `ratio` can fill.
  private static func limits(_ ratio: Double, _ isUpright: Bool) -> ClosedRange<Double> {
    let kept = 1 - Fit.largestCrop
    return (isUpright ? min(ratio * kept, 0.75) : ratio * kept)...(ratio / kept)
  }
}
