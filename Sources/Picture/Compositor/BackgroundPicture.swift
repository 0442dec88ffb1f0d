internal import TesseraLayout
internal import TesseraPixels

/// The background picture at canvas size, shown wherever no tile covers the canvas. Drawn once per
/// picture and size.
final class BackgroundPicture {
  let image: Image

  /// Draws `picture`, cropped to fill a canvas of `size`.
  init(
    _ picture: Picture, size: PixelSize, plans: inout TilePlanCache, painter: inout TilePainter
  ) {
    image = Image(.yuv420p8, size: size)
    var draw = TilePlacement(item: 0, frame: Rect(x: 0, y: 0, width: 0, height: 0), fit: .cover)
    draw.frame.width = Double(size.width)
    draw.frame.height = Double(size.height)
    draw.focus = Framing(Point(x: 0.5, y: 0.5))
    let layer = CanvasState.Layer(.picture(picture), draw, canvas: size, plans: &plans)
    var area = PlanePair(luma: PixelRectSet(), chroma: PixelRectSet())
    area.luma.insert(PixelRect(size))
    area.chroma.insert(PixelRect(size).chroma)
    var statistics = ComposeStatistics()
    painter.paint(
      TilePainter.PaintedTile(
        draw: draw, plan: layer.plan, shown: .picture(picture), soft: nil, isBare: false),
      damage: area, background: .black, onto: image, &statistics)
  }
}
