extension FilmstripLayout {
  /// The active speaker large, the others in a filmstrip on the side that costs least.
  static func speaker(options: inout LayoutOptions) throws(LayoutError) -> Self {
    var layout = try FilmstripLayout(strip: &options, largest: "0.8, upright 0.7")
    layout.isPictureInPicture = true
    layout.hasStrip =
      try options.choice("strip", else: Strip.shown, "whether the other participants are shown")
      == .shown
    layout.keepsLocal = try LocalPlace.isCorner(&options)
    return layout
  }

  /// A layout whose strip lies where `options` say; `largest` is the usual share of the large item.
  init(strip options: inout LayoutOptions, largest: String) throws(LayoutError) {
    self.init(
      position: try options.choice(
        "position", else: "the edge that leaves the large tile the most area",
        "the edge of the filmstrip"),
      fraction: try options.number(
        "fraction", in: 0.5...0.95, else: largest, "the large tile's share of the canvas"))
  }

  private enum Strip: String, CaseIterable { case none, shown }
}

/// Where the local participant is, of a layout that has a large place.
enum LocalPlace: String, CaseIterable {
  /// Wherever others are.
  case any
  /// Never in the large place while there is another.
  case corner

  /// Whether the option `self` says `corner`.
  static func isCorner(_ options: inout LayoutOptions) throws(LayoutError) -> Bool {
    try options.choice(
      "self", else: LocalPlace.any, "`corner` never shows the local participant large")
      == .corner
  }
}
