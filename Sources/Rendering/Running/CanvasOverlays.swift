import TesseraCompositor
import TesseraLettering
import TesseraMedia
import TesseraPixels
import TesseraTimeline

/// What lies on the whole canvas in the frame being composed.
///
/// An overlay's sprites are made when it is first seen and let go when it is gone, so that of
/// thousands of captions hardly ever more than one takes memory.
struct CanvasOverlays {
  /// An overlay that is there.
  private struct Shown {
    let number: Int
    let sprites: [SpriteDraw]
    /// How much of it is seen, 0...256.
    var share = 0
  }

  private let look: Look
  private let frameRate: FrameRate
  private let canvas: PixelSize
  private var cursor: OverlayCursor
  private var shown: [Shown] = []
  private var clock: SpriteDraw?
  private var clockSecond: Int64?
  private var drawn: [SpriteDraw] = []

  /// The overlays of `plan`.
  init(_ plan: Plan) {
    look = plan.look
    frameRate = plan.output.video.frameRate
    canvas = plan.output.video.size
    cursor = OverlayCursor(plan.look.overlays)
  }

  /// Whether there is anything, ever.
  var isEmpty: Bool { look.overlays.isEmpty && look.clock == nil }

  /// What lies over the tiles in `frame`, each above the one before.
  mutating func sprites(in frame: Int) -> [SpriteDraw] {
    let time = frameRate.time(ofFrame: frame)
    var isOther = updateClock(at: time)
    if cursor.move(to: time) {
      shown = cursor.current.map { number in
        shown.first { $0.number == number }
          ?? Shown(number: number, sprites: sprites(of: look.overlays[number]))
      }
      isOther = true
    }
    for index in shown.indices {
      let share = look.overlays[shown[index].number].share(at: time)
      if share != shown[index].share { isOther = true }
      shown[index].share = share
    }
    if isOther { draw() }
    return drawn
  }

  private mutating func draw() {
    drawn.removeAll(keepingCapacity: true)
    if let clock { drawn.append(clock) }
    for overlay in shown where overlay.share > 0 {
      for var sprite in overlay.sprites {
        sprite.opacity = Double(overlay.share) / 256
        drawn.append(sprite)
      }
    }
  }

  private func sprites(of overlay: CanvasOverlay) -> [SpriteDraw] {
    let fill = overlay.fill.map { SpriteDraw(Sprite(filled: $0, size: canvas), x: 0, y: 0) }
    return [fill].compactMap { $0 } + overlay.groups.compactMap(sprite)
  }

  private func sprite(_ group: ArtGroup) -> SpriteDraw? {
    guard let image = look.store.image(of: group) else { return nil }
    let origin = group.origin(in: canvas)
    return SpriteDraw(Sprite(image), x: origin.x, y: origin.y)
  }

  /// Draws the clock anew where it shows another second, and returns whether it does.
  private mutating func updateClock(at time: MediaTime) -> Bool {
    guard let look = look.clock else { return false }
    let second = look.times.second(at: time)
    guard second != clockSecond else { return false }
    clockSecond = second
    clock = sprite(look.art.group(look.times.text(ofSecond: second)))
    return true
  }
}
