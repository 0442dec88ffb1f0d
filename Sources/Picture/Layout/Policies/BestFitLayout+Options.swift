extension BestFitLayout {
  /// Reads the options of opentok-layout-js under this project's names.
  init(options: inout LayoutOptionParser) throws(LayoutError) {
    self.init()
    let share = "of the canvas that big tiles take"
    bigFraction = try options.number(
      "big", in: 0.1...0.95, else: bigFraction, "the maximum share \(share)")
    leastBigFraction = try options.number(
      "min-big", in: 0...0.95, else: leastBigFraction, "the minimum share \(share)")
    bigFirst = try options.choice(
      "big-first", else: bigFirst,
      "whether big tiles are above or left; `row`: above or right, `column`: below or left")
    try packing.read(&options, of: "tiles")
    packing.prefersEvenRows = try options.flag(
      "even-rows", else: true, "whether rows have the same number of tiles if possible")
    bigPacking.prefersEvenRows = packing.prefersEvenRows
    try bigPacking.read(&options, prefix: "big-", of: "big tiles")
    smallPacking = packing
    smallPacking.alignment = try options.choice(
      "small-align", else: .center, "the alignment of the other tiles beside big tiles")
    smallPacking.maximum = try TilePacking.maximum(
      &options, prefix: "small-", of: "the other tiles")
    fills = self == BestFitLayout()
  }
}

extension TilePacking {
  /// Reads the packing options whose keys begin with `prefix`. `tiles` names the tiles in the
  /// guide.
  fileprivate mutating func read(
    _ options: inout LayoutOptionParser, prefix: String = "", of tiles: String
  ) throws(LayoutError) {
    let limits = 0.1...10.0
    let least = try options.number(
      prefix + "min-ratio", in: limits, else: ratios.lowerBound,
      "the minimum height over width of \(tiles)")
    let most = try options.number(
      prefix + "max-ratio", in: limits, else: ratios.upperBound,
      "the maximum height over width of \(tiles)")
    ratios = min(least, most)...max(least, most)
    isFixed = try options.flag(
      prefix + "fixed", else: isFixed, "whether \(tiles) have their pictures' shape")
    alignment = try options.choice(
      prefix + "align", else: alignment, "the alignment of rows of \(tiles)")
    growsShortRows = try options.flag(
      prefix + "scale-last-row", else: growsShortRows, "whether short rows of \(tiles) are enlarged"
    )
    maximum = try Self.maximum(&options, prefix: prefix, of: tiles)
  }

  fileprivate static func maximum(
    _ options: inout LayoutOptionParser, prefix: String, of tiles: String
  ) throws(LayoutError) -> Size {
    let (pixels, most) = (1.0...16384, "of \(tiles) in pixels")
    return Size(
      width: try options.number(
        prefix + "max-width", in: pixels, else: "none", "the maximum width \(most)")
        ?? .infinity,
      height: try options.number(
        prefix + "max-height", in: pixels, else: "none", "the maximum height \(most)")
        ?? .infinity)
  }
}
