/// The presentation presets of the OpenTok archive API, as wobbals/barc's stylesheets draw them: the
/// focused item shown whole in four fifths of the canvas, the others covering tiles of a fifth of
/// its width and height.
extension FilmstripLayout {
  /// The large item on top, the others along the bottom from the left.
  static func horizontalPresentation(options: inout LayoutOptions) -> Self {
    presentation(stripAt: .bottom)
  }

  /// The large item on the right, the others down the left edge from the top.
  static func verticalPresentation(options: inout LayoutOptions) -> Self {
    presentation(stripAt: .left)
  }

  private static func presentation(stripAt position: Position) -> Self {
    FilmstripLayout(
      position: position, fraction: 0.8, tileLength: .share(0.2), isCentered: false,
      followsSpeaker: false, largeFit: .contain, smallFit: .cover)
  }
}
