import TesseraCompositor
import TesseraLettering
import TesseraMedia
import TesseraPixels
import TesseraTimeline

/// What lies on the whole canvas in the frame being composed.
struct CanvasOverlays {
  private let look: Look
  private let frameRate: FrameRate
  private let canvas: PixelSize
  /// The colors that overlays lay over the whole canvas, by the overlays' numbers.
  private let fills: [Int: Sprite]
  private var clockText = ""
  private var clock: SpriteDraw?

  /// The overlays of `plan`.
  init(_ plan: Plan) {
    look = plan.look
    frameRate = plan.output.video.frameRate
    canvas = plan.output.video.size
    let canvas = canvas
    fills = Dictionary(
      uniqueKeysWithValues: plan.look.overlays.enumerated().compactMap { index, overlay in
        overlay.fill.map { (index, Sprite(ColorImage(filled: $0, size: canvas))) }
      })
  }

  /// Whether there is anything, ever.
  var isEmpty: Bool { look.overlays.isEmpty && look.clock == nil }

  /// What lies over the tiles in `frame`, each above the one before.
  mutating func sprites(in frame: Int, _ sprites: LookSprites) -> [SpriteDraw] {
    let time = frameRate.time(ofFrame: frame)
    var result: [SpriteDraw] = []
    if let clock = drawClock(at: time) { result.append(clock) }
    for (index, overlay) in look.overlays.enumerated() {
      let share = overlay.share(at: time)
      guard share > 0 else { continue }
      let opacity = Double(share) / 256
      if let fill = fills[index] { result.append(SpriteDraw(fill, x: 0, y: 0, opacity: opacity)) }
      result += overlay.groups.compactMap { sprites.draw($0, on: canvas, opacity: opacity) }
    }
    return result
  }

  private mutating func drawClock(at time: MediaTime) -> SpriteDraw? {
    guard let look = look.clock else { return nil }
    let elapsed = time.nanoseconds / 1_000_000_000
    let text =
      look.secondsOfDay.map { ClockArt.text(secondsOfDay: $0 + elapsed) }
      ?? ClockArt.text(elapsed: time)
    guard text != clockText else { return clock }
    clockText = text
    let group = look.art.group(text)
    let origin = group.origin(in: canvas)
    clock = self.look.store.image(of: group).map {
      SpriteDraw(Sprite($0), x: origin.x, y: origin.y)
    }
    return clock
  }
}

extension ColorImage {
  /// Nothing but `color`.
  fileprivate init(filled color: Color, size: PixelSize) {
    let pixel = [color.red, color.green, color.blue, 255]
    self.init(
      width: size.width, height: size.height,
      bytes: Array(repeatElement(pixel, count: size.area).joined()))
  }
}
