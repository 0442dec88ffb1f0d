extension FilmstripLayout {
  /// The active speaker large, the others in a filmstrip on the side that costs least.
  ///
  /// The options are `position` (`left`, `right`, `top`, `bottom`), `fraction`, the large
  /// item's share of the canvas (0.8, on an upright canvas 0.7), `strip` (`none`: the speaker alone)
  /// and `self` (`corner`: the local participant is never large).
  static func speaker(options: inout LayoutOptions) throws(LayoutError) -> Self {
    var layout = FilmstripLayout(
      position: try options.choice("position"),
      fraction: try options.number("fraction", in: 0.5...0.95), isPictureInPicture: true)
    layout.hasStrip = try options.choice("strip", of: Strip.self) != Strip.none
    layout.keepsLocal = try LocalPlace.isCorner(&options)
    return layout
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
    try options.choice("self", of: LocalPlace.self) == .corner
  }
}
