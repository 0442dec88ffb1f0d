import Compositor
import Layout
import Pixels
import TestSupport

/// Scenes and contents that change at random from frame to frame.
struct RandomScene {
  private static let canvas = PixelSize(width: 96, height: 64)
  private static let colors = [Color(rgb: 0x2060c0), Color(rgb: 0xd0a020), .white]

  private(set) var scene: Scene
  private(set) var frames: FrameSet
  private var generator: SplitMix64
  private let masks: [Mask]

  init(seed: UInt64, items: Int) {
    generator = SplitMix64(seed: seed)
    masks = [(9, 5), (20, 8), (33, 17)].map { width, height in
      let image = Image(.gray8, size: PixelSize(width: width, height: height))
      for y in 0..<height {
        for x in 0..<width { image[plane: 0][x, y] = UInt8((x * 37 + y * 91) & 255) }
      }
      return Mask(image)
    }
    scene = Scene(size: Self.canvas, background: Color(rgb: 0x101418), tiles: [])
    frames = FrameSet(count: items)
    for item in 0..<items {
      scene.tiles.append(tile(item))
      frames.contents[item] = content()
    }
  }

  /// Changes a few things, often nothing.
  mutating func step() {
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      let item = Int.random(in: 0..<frames.contents.count, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...3: frames.contents[item] = content()
      case 4: scene.tiles.shuffle(using: &generator)
      case 5: scene.tiles.removeAll { $0.item == item }
      case 6 where !scene.tiles.contains { $0.item == item }: scene.tiles.append(tile(item))
      default:
        guard let index = scene.tiles.firstIndex(where: { $0.item == item }) else { continue }
        scene.tiles[index] = tile(item)
      }
    }
    if Int.random(in: 0..<30, using: &generator) == 0 { scene.background = color() }
  }

  private mutating func color() -> Color { Self.colors.randomElement(using: &generator) ?? .black }

  private mutating func rarely(_ one: Int) -> Bool {
    Int.random(in: 0..<one, using: &generator) == 0
  }

  private mutating func tile(_ item: Int) -> TileDraw {
    let isWhole = Bool.random(using: &generator)
    func random(_ range: ClosedRange<Double>, _ generator: inout SplitMix64) -> Double {
      let value = Double.random(in: range, using: &generator)
      return isWhole ? value.rounded() : value
    }
    var tile = TileDraw(
      item: item,
      frame: Rect(
        x: random(-12...80, &generator), y: random(-12...50, &generator),
        width: random(1...60, &generator), height: random(1...45, &generator)),
      fit: Fit.allCases.randomElement(using: &generator) ?? .auto)
    if rarely(4) { tile.alpha = Double.random(in: 0...1, using: &generator) }
    if rarely(3) { tile.cornerRadius = Double.random(in: 0...20, using: &generator) }
    if rarely(3) {
      tile.border = TileDraw.Border(
        width: Double.random(in: 0.3...5, using: &generator), color: color())
    }
    if rarely(5) { tile.scale = Double.random(in: 0.2...1.5, using: &generator) }
    tile.zIndex = Int.random(in: 0...2, using: &generator)
    for mask in masks where rarely(4) {
      tile.overlays.append(
        TileDraw.Overlay(
          mask: mask, color: color(), x: Int.random(in: -8...40, using: &generator),
          y: Int.random(in: -8...30, using: &generator)))
    }
    return tile
  }

  private mutating func content() -> TileContent {
    if rarely(8) { return .empty }
    if rarely(8) { return .fill(color()) }
    let size = PixelSize(
      width: Int.random(in: 1...90, using: &generator),
      height: Int.random(in: 1...70, using: &generator))
    let spaces = [
      ColorSpace.canvas, ColorSpace.canvas, ColorSpace(matrix: .bt601, range: .limited),
      ColorSpace(matrix: .bt709, range: .full),
    ]
    return .picture(
      Pictures.noise(
        size, color: spaces.randomElement(using: &generator) ?? .canvas,
        orientation: Orientation.allCases.randomElement(using: &generator) ?? .upright,
        sampleAspectRatio: SampleAspectRatio(Int.random(in: 1...3, using: &generator), 2),
        using: &generator))
  }
}
