/// The shape that the tiles of a grid have: one for all of them, so that rows are even, and one
/// that nearly every picture fills, so that hardly anything else is seen.
///
/// By ``Fit/auto`` a picture fills every tile that crops at most a third of it; where most pictures
/// are upright, or the canvas is, a wide picture fills one of 3:4, too, and in a grid on an upright
/// canvas every picture nearly any tile. The tiles fill their cells where all pictures can do so. Else
/// they are as near to that as all pictures can fill them, but in cells that are too flat not flatter
/// than the widest picture. Where pictures have no such shape in common, it is that of most of them,
/// and the others leave bars, as upright pictures do wherever there are no others in a lying cell. By
/// any other fit the tiles are the cells.
struct TileShape {
  /// The size of the tiles.
  let size: Size
  private let fit: Fit
  private let isUpright: Bool
  /// True if the canvas is upright, and if all pictures then fill tiles of nearly any shape, or
  /// only those that are cropped around a face.
  private let (onUpright, isClose): (Bool, Bool)
  private let isStrip: Bool
  /// True if the tiles are as large as their cells.
  private let fillsCell: Bool

  /// The shape of tiles in cells of size `cell` for the pictures of `items`; `isClose` crops wide ones
  /// on an upright canvas as far as those around faces, and in a strip (`isStrip`) they fill upright cells as on an
  /// upright canvas, and the shape is always that of most of them.
  init(
    _ items: [LayoutItem], in cell: Size, _ context: LayoutContext, isClose: Bool = false,
    isStrip: Bool = false
  ) {
    fit = context.fit
    let (onUpright, isLoose) = (context.isUpright, context.isUpright && isClose)
    (self.onUpright, self.isClose, self.isStrip) = (onUpright, isLoose, isStrip)
    let cameras = items.filter { $0.kind == .camera }
    let known = cameras.filter { $0.aspectRatio != nil }
    let pictures = known.isEmpty ? cameras : known
    let ratios = pictures.map(\.plannedAspectRatio)
    let uprightCount = ratios.count { $0 < 1 }
    let areUpright = uprightCount * 2 > ratios.count
    let isUpright = context.isUpright || areUpright || isStrip && cell.aspectRatio < 1
    self.isUpright = isUpright
    guard fit == .auto, !ratios.isEmpty else {
      (size, fillsCell) = (cell, true)
      return
    }
    func common(_ pictures: [LayoutItem]) -> (shape: Double, isCommon: Bool) {
      let limits = pictures.map { Self.limits($0, isUpright, isLoose || onUpright && $0.isFramed) }
      let least = limits.map(\.lowerBound).max() ?? 0
      let most = limits.map(\.upperBound).min() ?? .infinity
      let shape = cell.aspectRatio
      guard least <= most else { return (max(most, min(least, shape)), false) }
      guard shape > most else { return (max(least, shape), true) }
      let widest = pictures.map(\.plannedAspectRatio).max() ?? most
      guard widest < 1 else { return (max(least, min(most, widest)), true) }
      return (shape < 1 ? most : shape, true)
    }
    var (shape, isCommon) = common(pictures)
    if isStrip || !isCommon, uprightCount > 0, uprightCount < ratios.count {
      (shape, isCommon) = common(
        pictures.filter { ($0.plannedAspectRatio < 1) == areUpright })
    }
    fillsCell = shape == cell.aspectRatio
    size = fillsCell ? cell : cell.fitted(aspectRatio: shape)
  }

  /// How much of a tile the picture of `item` covers, where that is not what the fit makes of it.
  func coverage(of item: LayoutItem) -> Double? {
    guard item.kind == .camera, item.aspectRatio != nil else { return nil }
    return plannedCoverage(of: item)
  }

  private func plannedCoverage(of item: LayoutItem) -> Double? {
    let (limits, shape) = (Self.limits(item, isUpright, isLoose(item)), size.aspectRatio)
    // The last bits of a shape that lies on a limit do not matter.
    let isFilled =
      shape >= limits.lowerBound * (1 - 1e-9) && shape <= limits.upperBound * (1 + 1e-9)
    return fit == .auto && isFilled ? 1 : nil
  }

  /// The value of showing `item`: the area that it takes. What is cropped of the width makes faces
  /// larger and counts for a part, what is cropped of the height is taken from heads and costs twice;
  /// where tiles have nearly any shape, and in strips, both cost a little. By any other fit, and for a screen, that of
  /// the whole picture.
  func value(of item: LayoutItem) -> Double {
    let ratio = item.plannedAspectRatio
    guard item.kind == .camera, fit == .auto else { return size.fitted(aspectRatio: ratio).area }
    let place = Fit.Placement(
      aspectRatio: ratio, in: size.bounds,
      coverage: plannedCoverage(of: item) ?? fit.coverage(aspectRatio: ratio, in: size))
    let (width, height) = (place.crop.width, place.crop.height)
    return place.destination.size.area
      * (isClose || isStrip
        ? 0.9 + 0.1 * width * height : (1 + 0.4 * (1 - width)) * height * height)
  }

  /// True if pictures may fill nearly any tile and that of `item` fills the cell.
  func isClosed(by item: LayoutItem) -> Bool {
    isClose && fillsCell && plannedCoverage(of: item) == 1
  }

  private func isLoose(_ item: LayoutItem) -> Bool { isClose || onUpright && item.isFramed }

  /// The shapes of tiles that the picture of `item` can fill.
  private static func limits(
    _ item: LayoutItem, _ isUpright: Bool, _ isLoose: Bool
  ) -> ClosedRange<Double> {
    let (ratio, kept) = (item.plannedAspectRatio, 1 - Fit.largestCrop)
    if isLoose {
      // A phone's picture keeps enough of its width for three side by side on a square canvas.
      return min(ratio * 0.58, Fit.narrowestFramed)...min(max(ratio / kept, 1.2), 2.1)
    }
    return (isUpright ? min(ratio * kept, Fit.tallestUpright) : ratio * kept)...(ratio / kept)
  }
}
