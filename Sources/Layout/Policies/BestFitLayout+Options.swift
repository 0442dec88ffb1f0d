extension BestFitLayout {
  /// Reads the options of opentok-layout-js, named in this project's way.
  init(options: inout LayoutOptions) throws(LayoutError) {
    self.init()
    bigFraction = try options.number("big", in: 0.1...0.95) ?? bigFraction
    leastBigFraction = try options.number("min-big", in: 0...0.95) ?? leastBigFraction
    bigFirst = try options.choice("big-first") ?? bigFirst
    try packing.read(&options)
    packing.prefersEvenRows = try options.flag("even-rows") ?? true
    bigPacking.prefersEvenRows = packing.prefersEvenRows
    try bigPacking.read(&options, prefix: "big-")
    smallPacking = packing
    smallPacking.alignment = try options.choice("small-align") ?? .center
    smallPacking.maximum = try Packing.maximum(&options, prefix: "small-")
  }
}

extension Packing {
  /// Takes the options that begin with `prefix`.
  fileprivate mutating func read(
    _ options: inout LayoutOptions, prefix: String = ""
  ) throws(LayoutError) {
    let limits = 0.1...10.0
    let least = try options.number(prefix + "min-ratio", in: limits) ?? ratios.lowerBound
    let most = try options.number(prefix + "max-ratio", in: limits) ?? ratios.upperBound
    ratios = min(least, most)...max(least, most)
    isFixed = try options.flag(prefix + "fixed") ?? isFixed
    alignment = try options.choice(prefix + "align") ?? alignment
    growsShortRows = try options.flag(prefix + "scale-last-row") ?? growsShortRows
    maximum = try Self.maximum(&options, prefix: prefix)
  }

  fileprivate static func maximum(
    _ options: inout LayoutOptions, prefix: String
  ) throws(LayoutError) -> Size {
    let pixels = 1.0...16384
    return Size(
      width: try options.number(prefix + "max-width", in: pixels) ?? .infinity,
      height: try options.number(prefix + "max-height", in: pixels) ?? .infinity)
  }
}
