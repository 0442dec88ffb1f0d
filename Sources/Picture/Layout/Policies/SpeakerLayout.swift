extension FilmstripLayout {
  /// Creates the layout `speaker`: the active speaker large, the others in a filmstrip on the side
  /// that leaves the large picture the most area.
  static func speaker(options: inout LayoutOptionParser) throws(LayoutError) -> Self {
    var layout = try FilmstripLayout(strip: &options, largest: "0.8, upright 0.7")
    layout.isPictureInPicture = true
    layout.hasStrip =
      try options.choice("strip", else: Strip.shown, "whether the other participants are shown")
      == .shown
    layout.keepsLocal = try LocalParticipantPlace.isCorner(&options)
    return layout
  }

  /// Reads the options of the strip; `largest` describes the large item's default fraction in help.
  init(strip options: inout LayoutOptionParser, largest: String) throws(LayoutError) {
    self.init(
      position: try options.choice(
        "position", else: "the edge that leaves the large tile the most area",
        "the edge of the filmstrip"),
      fraction: try options.number(
        "fraction", in: 0.5...0.95, else: largest, "the large tile's share of the canvas"))
  }

  private enum Strip: String, CaseIterable { case none, shown }
}

/// The place of the local participant in a layout that has a large place.
enum LocalParticipantPlace: String, CaseIterable {
  /// The local participant is placed like any other.
  case any
  /// The local participant is in the large place only when alone.
  case corner

  /// True if the option `self` is `corner`.
  static func isCorner(_ options: inout LayoutOptionParser) throws(LayoutError) -> Bool {
    try options.choice(
      "self", else: LocalParticipantPlace.any, "`corner` never shows the local participant large")
      == .corner
  }
}
