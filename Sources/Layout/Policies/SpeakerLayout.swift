extension FilmstripLayout {
  /// The active speaker large, the others in a filmstrip on the side that costs least.
  ///
  /// The options are `position` (`left`, `right`, `top`, `bottom`) and `fraction`, the large
  /// item's share of the canvas (0.8, on an upright canvas 0.7).
  static func speaker(options: inout LayoutOptions) throws(LayoutError) -> Self {
    FilmstripLayout(
      position: try options.choice("position"),
      fraction: try options.number("fraction", in: 0.5...0.95), isPictureInPicture: true)
  }
}
