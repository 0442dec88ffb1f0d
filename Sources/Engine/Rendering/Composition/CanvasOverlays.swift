import TesseraCodecs
import TesseraCompositor
import TesseraLettering
import TesseraPixels
import TesseraPlan

/// The overlays over the whole canvas in the frame being composed.
///
/// An overlay's sprites are created when it first becomes visible and released afterwards. So of
/// thousands of captions rarely more than one takes memory.
struct CanvasOverlays {
  /// An overlay that is visible in the current frame.
  private struct VisibleOverlay {
    let number: Int
    let sprites: [SpritePlacement]
    /// The overlay's opacity, 0...256.
    var share = 0
  }

  private let overlays: [SegmentInput.Overlay]
  private let clock: SegmentInput.DrawnClock?
  private let art: DrawingStore
  private let canvas: PixelSize
  private var cursor: OverlayCursor
  private var shown: [VisibleOverlay] = []
  private var clockFace: SpritePlacement?
  /// The index of the clock text that ``clockFace`` shows.
  private var clockText: Int?
  private var drawn: [SpritePlacement] = []

  init(_ input: SegmentInput) {
    (overlays, clock, art) = (input.overlays, input.clock, input.art)
    canvas = input.output.video.size
    cursor = OverlayCursor(input.overlays.map(\.frames))
  }

  /// True if no frame has an overlay or a clock.
  var isEmpty: Bool { overlays.isEmpty && clock == nil }

  /// Returns the sprites over the tiles in `frame`, from back to front.
  mutating func sprites(in frame: Int) -> [SpritePlacement] {
    var isOther = updateClock(in: frame)
    if cursor.move(to: frame) {
      shown = cursor.current.map { number in
        shown.first { $0.number == number }
          ?? VisibleOverlay(number: number, sprites: sprites(of: overlays[number]))
      }
      isOther = true
    }
    for index in shown.indices {
      let share = overlays[shown[index].number].shares[frame] ?? 0
      if share != shown[index].share { isOther = true }
      shown[index].share = share
    }
    if isOther { draw() }
    return drawn
  }

  private mutating func draw() {
    drawn.removeAll(keepingCapacity: true)
    if let clockFace { drawn.append(clockFace) }
    for overlay in shown where overlay.share > 0 {
      for var sprite in overlay.sprites {
        sprite.opacity = Double(overlay.share) / 256
        drawn.append(sprite)
      }
    }
  }

  private func sprites(of overlay: SegmentInput.Overlay) -> [SpritePlacement] {
    let fill = overlay.fill.map { SpritePlacement(Sprite(filled: $0, size: canvas), x: 0, y: 0) }
    return [fill].compactMap { $0 } + overlay.groups.compactMap(sprite)
  }

  private func sprite(_ group: DrawingGroup) -> SpritePlacement? {
    guard let image = art.image(of: group) else { return nil }
    let origin = group.origin(in: canvas)
    return SpritePlacement(Sprite(image), x: origin.x, y: origin.y)
  }

  /// Redraws the clock if its text changes in `frame`. Returns true if it does.
  private mutating func updateClock(in frame: Int) -> Bool {
    guard let clock, let text = clock.texts.index(in: frame), text != clockText else {
      return false
    }
    clockText = text
    clockFace = sprite(clock.art.group(clock.texts.all[text].value))
    return true
  }
}

extension SegmentInput.Overlay {
  /// The frames from the first that shows the overlay to the last.
  fileprivate var frames: Range<Int> {
    guard let first = shares.all.first, let last = shares.all.last else { return 0..<0 }
    return first.frame..<(last.value > 0 ? .max : last.frame)
  }
}
