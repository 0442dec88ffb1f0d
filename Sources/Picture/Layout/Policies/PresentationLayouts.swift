/// The presentation presets of the OpenTok archive API, after wobbals/barc's stylesheets.
///
/// The focused item is shown whole in 0.8 of the canvas, the others in the rest. On an upright
/// canvas people are cropped instead of shown whole, and the others are always along the bottom.
extension FilmstripLayout {
  /// Creates the preset with the large item on top and the others along the bottom.
  static func horizontalPresentation(options: inout LayoutOptionParser) -> Self {
    presentation(stripAt: .bottom)
  }

  /// Creates the preset with the large item on the right and the others down the left edge.
  static func verticalPresentation(options: inout LayoutOptionParser) -> Self {
    presentation(stripAt: .left)
  }

  private static func presentation(stripAt position: Position) -> Self {
    var layout = FilmstripLayout(
      position: position, fraction: 0.8, isLargeSpeaking: false, largeFit: .contain)
    layout.turnsUpright = true
    return layout
  }
}
