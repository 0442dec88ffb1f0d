/// The common shape of the tiles of a grid: one for all, so that rows are even, and one that nearly
/// every picture fills, so that hardly any background is visible.
///
/// By ``PictureFit/auto`` a picture fills every tile that crops at most a third of it. If most
/// pictures or the canvas are upright, a wide picture also fills a tile of 3:4. In a grid on an
/// upright canvas every picture fills nearly any tile.
///
/// The tiles fill their cells if all pictures can. Otherwise they are as close to the cells' shape
/// as all pictures allow, but in cells that are too flat not flatter than the widest picture. If
/// pictures have no shape in common, that of most of them wins and the others leave bars. Upright
/// pictures alone leave bars in landscape cells. By any other fit the tiles are the cells.
struct TileShape {
  /// The size of the tiles in pixels.
  let size: Size
  private let fit: PictureFit
  private let isUpright: Bool
  /// True if the canvas is upright (`onUpright`), and if all pictures there fill tiles of nearly
  /// any shape (`isClose`) instead of only those cropped around a face.
  private let (onUpright, isClose): (Bool, Bool)
  private let isStrip: Bool
  /// True if the tiles are as large as their cells.
  private let fillsCell: Bool

  /// Creates the shape of tiles for the pictures of `items` in cells of size `cell`.
  ///
  /// `isClose` crops wide pictures on an upright canvas as far as those around faces. In a strip
  /// (`isStrip`), wide pictures fill upright cells as on an upright canvas, and the shape is always
  /// that of most pictures.
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

  /// Returns the fraction of its tile that the picture of `item` covers; `nil` if the fit decides.
  func coverage(of item: LayoutItem) -> Double? {
    guard item.kind == .camera, item.aspectRatio != nil else { return nil }
    return plannedCoverage(of: item)
  }

  private func plannedCoverage(of item: LayoutItem) -> Double? {
    let (limits, shape) = (Self.limits(item, isUpright, isLoose(item)), size.aspectRatio)
    // The last bits of a shape at a limit do not matter.
    let isFilled =
      shape >= limits.lowerBound * (1 - 1e-9) && shape <= limits.upperBound * (1 + 1e-9)
    return fit == .auto && isFilled ? 1 : nil
  }

  /// Returns the value of showing `item`: the area of its picture, weighted by what is cropped.
  ///
  /// Cropped width enlarges faces and counts for a part. Cropped height is taken from heads and
  /// costs twice. For tiles of nearly any shape and in strips both cost a little. For a screen or
  /// any other fit the value is the area of the whole picture.
  func value(of item: LayoutItem) -> Double {
    let ratio = item.plannedAspectRatio
    guard item.kind == .camera, fit == .auto else { return size.fitted(aspectRatio: ratio).area }
    let place = PictureFit.Placement(
      aspectRatio: ratio, in: size.bounds,
      coverage: plannedCoverage(of: item) ?? fit.coverage(aspectRatio: ratio, in: size))
    let (width, height) = (place.crop.width, place.crop.height)
    return place.destination.size.area
      * (isClose || isStrip
        ? 0.9 + 0.1 * width * height : (1 + 0.4 * (1 - width)) * height * height)
  }

  /// True if pictures may fill nearly any tile and that of `item` fills its cell.
  func isClosed(by item: LayoutItem) -> Bool {
    isClose && fillsCell && plannedCoverage(of: item) == 1
  }

  private func isLoose(_ item: LayoutItem) -> Bool { isClose || onUpright && item.isFramed }

  /// Returns the aspect ratios of tiles that the picture of `item` can fill.
  private static func limits(
    _ item: LayoutItem, _ isUpright: Bool, _ isLoose: Bool
  ) -> ClosedRange<Double> {
    let (ratio, kept) = (item.plannedAspectRatio, 1 - PictureFit.largestCrop)
    if isLoose {
      // A phone's picture keeps enough of its width for three side by side on a square canvas.
      return min(ratio * 0.58, PictureFit.narrowestFramed)...min(max(ratio / kept, 1.2), 2.1)
    }
    return
      (isUpright ? min(ratio * kept, PictureFit.tallestUpright) : ratio * kept)...(ratio / kept)
  }
}
