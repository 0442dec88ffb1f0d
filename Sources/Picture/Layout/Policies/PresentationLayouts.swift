/// The presentation presets of the OpenTok archive API, after wobbals/barc's stylesheets: the
/// focused item shown whole in four fifths of the canvas, the others in the fifth that is left. On
/// an upright canvas people are cropped instead, and the others are along the bottom in any case.
extension FilmstripLayout {
  /// The large item on top, the others along the bottom.
  static func horizontalPresentation(options: inout LayoutOptions) -> Self {
    presentation(stripAt: .bottom)
  }

  /// The large item on the right, the others down the left edge.
  static func verticalPresentation(options: inout LayoutOptions) -> Self {
    presentation(stripAt: .left)
  }

  private static func presentation(stripAt position: Position) -> Self {
    var layout = FilmstripLayout(
      position: position, fraction: 0.8, isLargeSpeaking: false, largeFit: .contain)
    layout.turnsUpright = true
    return layout
  }
}
