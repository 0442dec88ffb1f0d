import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TestSupport

/// Scenes with random changes of all kinds: tiles appear, vanish, move, change their order, looks
/// and contents, abut at odd columns and rows, and leave the canvas.
struct RandomScene {
  private static let colors = [
    Color(rgb: 0x2060c0), Color(rgb: 0xd0a020), Color.white, Color(rgb: 0x101418),
  ]

  private(set) var scene: Scene
  private(set) var frames: ItemContents
  private var generator: SplitMix64
  private let sprites: [Sprite]
  private let backdrop: Picture
  /// The cell size of a grid to which some tiles are aligned, so that neighbors abut, also at odd
  /// positions.
  private let pitch: (x: Int, y: Int)
  private let isWhole: Bool
  private var pool: [TileContent] = []

  /// Creates the scene of `seed`. The content `frames.contents.last` is free for a test's own tile.
  init(seed: UInt64, items: Int) {
    var generator = SplitMix64(seed: seed)
    func even(_ range: ClosedRange<Int>) -> Int { 2 * Int.random(in: range, using: &generator) }
    let size = PixelSize(width: even(1...80), height: even(1...50))
    pitch = (Int.random(in: 3...41, using: &generator), Int.random(in: 3...31, using: &generator))
    isWhole = Bool.random(using: &generator)
    sprites = [(1, 1), (7, 11), (30, 12), (41, 25)].map { width, height in
      Sprite(Self.drawing(width, height, &generator))
    }
    backdrop = Pictures.noise(
      PixelSize(width: 37, height: 23), color: ColorSpace(matrix: .bt601, range: .limited),
      using: &generator)
    scene = Scene(size: size, background: Color(rgb: 0x101418), tiles: [])
    frames = ItemContents(count: items + 1)
    self.generator = generator
    pool = (0..<4).map { _ in freshContent() }
    for item in 0..<items {
      if !rarely(4) { scene.tiles.append(tile(item)) }
      frames.contents[item] = content()
    }
  }

  /// The scene with a tile of the free content below all others, in the background's color.
  var sceneOverATile: Scene {
    let size = scene.size
    var below = TilePlacement(
      item: frames.contents.count - 1,
      frame: Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)))
    below.zIndex = -5
    below.fit = .cover
    below.focus = Framing(Point(x: 0.5, y: 0.5))
    var over = Scene(size: size, background: Color(rgb: 0xff00ff), tiles: scene.tiles + [below])
    over.sprites = scene.sprites
    return over
  }

  /// The content with which the free tile looks like the background.
  var ground: TileContent {
    scene.backgroundPicture.map(TileContent.picture) ?? .fill(scene.background)
  }

  /// Makes up to three random changes.
  mutating func step() {
    for _ in 0..<Int.random(in: 0...3, using: &generator) { change() }
    if rarely(25) { scene.background = color() }
    if rarely(20) { scene.backgroundPicture = rarely(2) ? backdrop : nil }
    if rarely(6) { scene.sprites = placedSprites(within: scene.size) }
  }

  private mutating func change() {
    let item = Int.random(in: 0..<frames.contents.count - 1, using: &generator)
    guard let index = scene.tiles.firstIndex(where: { $0.item == item }) else {
      if rarely(2) { frames.contents[item] = content() }
      if !rarely(3) { scene.tiles.insert(tile(item), at: scene.tiles.isEmpty ? 0 : place()) }
      return
    }
    switch Int.random(in: 0..<21, using: &generator) {
    case 0, 1: frames.contents[item] = content()
    case 2: frames.contents[item] = .empty
    case 3: scene.tiles.shuffle(using: &generator)
    case 4: scene.tiles.remove(at: index)
    case 5: scene.tiles.swapAt(index, place())
    case 6: scene.tiles[index].zIndex = Int.random(in: -1...2, using: &generator)
    case 7: scene.tiles[index].alpha = alpha()
    case 8: scene.tiles[index].cornerRadius = radius()
    case 9: scene.tiles[index].border = border()
    case 15: scene.tiles[index].sprites = placedSprites(within: PixelSize(width: 60, height: 40))
    case 16: decorateSlightly(index)
    case 17: scene.tiles[index].blursBars.toggle()
    case 11:
      scene.tiles[index].frame.x += Double(Int.random(in: -3...3, using: &generator))
      scene.tiles[index].frame.y += Double(Int.random(in: -3...3, using: &generator))
    case 12:
      // Two tiles swap their places.
      let other = place()
      (scene.tiles[index].frame, scene.tiles[other].frame) = (
        scene.tiles[other].frame, scene.tiles[index].frame
      )
    case 13:
      let other = place()
      (scene.tiles[index].item, scene.tiles[other].item) = (
        scene.tiles[other].item, scene.tiles[index].item
      )
    case 14:
      let items = frames.contents.indices.dropLast()
      frames.contents.swapAt(item, items.randomElement(using: &generator) ?? item)
    default: scene.tiles[index] = tile(item)
    }
  }

  /// Changes one property of a tile's decoration.
  private mutating func decorateSlightly(_ index: Int) {
    var border = scene.tiles[index].border
    border?.opacity = Double.random(in: 0...1, using: &generator)
    if rarely(2) { border?.color = color() }
    scene.tiles[index].border = border
    if !scene.tiles[index].sprites.isEmpty, rarely(2) {
      scene.tiles[index].sprites[0].opacity = Double.random(in: 0...1, using: &generator)
    }
  }

  private mutating func placedSprites(within size: PixelSize) -> [SpritePlacement] {
    var draws: [SpritePlacement] = []
    for sprite in sprites where rarely(3) {
      draws.append(
        SpritePlacement(
          sprite, x: Int.random(in: -20...size.width, using: &generator),
          y: Int.random(in: -12...size.height, using: &generator),
          opacity: rarely(2) ? 1 : Double.random(in: 0...1, using: &generator)))
    }
    return draws
  }

  private static func drawing(
    _ width: Int, _ height: Int, _ generator: inout SplitMix64
  ) -> ColorImage {
    let bytes = (0..<width * height).flatMap { _ -> [UInt8] in
      let alpha: UInt8 =
        [0, 255, UInt8.random(in: 0...255, using: &generator)]
        .randomElement(using: &generator) ?? 0
      return (0..<3).map { _ in UInt8.random(in: 0...alpha, using: &generator) } + [alpha]
    }
    return ColorImage(width: width, height: height, bytes: bytes)
  }

  private mutating func place() -> Int { Int.random(in: 0..<scene.tiles.count, using: &generator) }

  private mutating func color() -> Color { Self.colors.randomElement(using: &generator) ?? .black }

  private mutating func rarely(_ one: Int) -> Bool {
    Int.random(in: 0..<one, using: &generator) == 0
  }

  private mutating func alpha() -> Double {
    let values = [0, 0.001, 0.25, 0.5, 254.0 / 255, 0.9999]
    return rarely(2) ? 1 : values.randomElement(using: &generator) ?? 1
  }

  private mutating func radius() -> Double {
    rarely(2) ? 0 : Double.random(in: 0...24, using: &generator)
  }

  private mutating func border() -> TilePlacement.Border? {
    guard !rarely(2) else { return nil }
    return TilePlacement.Border(
      width: Double.random(in: 0.3...30, using: &generator), color: color(),
      opacity: rarely(2) ? 1 : Double.random(in: 0...1, using: &generator))
  }

  private mutating func frame() -> Rect {
    let size = scene.size
    func cells(_ pitch: Int, _ length: Int, _ generator: inout SplitMix64) -> (Double, Double) {
      let first = Int.random(in: -1...length / pitch, using: &generator)
      return (Double(first * pitch), Double(pitch * Int.random(in: 1...2, using: &generator)))
    }
    if !rarely(3) {
      let (x, width) = cells(pitch.x, size.width, &generator)
      let (y, height) = cells(pitch.y, size.height, &generator)
      return Rect(x: x, y: y, width: width, height: height)
    }
    func random(_ range: ClosedRange<Double>) -> Double {
      let value = Double.random(in: range, using: &generator)
      return isWhole ? value.rounded() : value
    }
    return Rect(
      x: random(-30...Double(size.width) + 10), y: random(-20...Double(size.height) + 10),
      width: random(0.6...70), height: random(0.6...50))
  }

  private mutating func tile(_ item: Int) -> TilePlacement {
    var tile = TilePlacement(
      item: item, frame: frame(), fit: PictureFit.allCases.randomElement(using: &generator) ?? .auto
    )
    if rarely(3) { tile.alpha = alpha() }
    if rarely(2) { tile.cornerRadius = radius() }
    if rarely(3) { tile.border = border() }
    if rarely(6) { tile.scale = Double.random(in: 0.2...1.5, using: &generator) }
    tile.zIndex = rarely(3) ? Int.random(in: -1...2, using: &generator) : 0
    if rarely(3) { tile.sprites = placedSprites(within: PixelSize(width: 60, height: 40)) }
    tile.blursBars = rarely(4)
    if rarely(4) {
      tile.focus = Framing(
        Point(
          x: Double.random(in: 0...1, using: &generator),
          y: Double.random(in: 0...1, using: &generator)),
        line: rarely(2) ? 0.5 : Framing.eyeLine, zoom: rarely(3) ? 1.25 : 1)
    }
    return tile
  }

  private mutating func content() -> TileContent {
    if rarely(8) { return .empty }
    if rarely(4) { return pool.randomElement(using: &generator) ?? .empty }
    return freshContent()
  }

  private mutating func freshContent() -> TileContent {
    guard rarely(5) else { return freshLayer().content }
    let weight = rarely(4) ? 255 : UInt8.random(in: 0...255, using: &generator)
    return .blend(from: freshLayer(), to: freshLayer(), weight: weight)
  }

  private mutating func card() -> TileCard {
    let steps = [0, 12, 40].map { least in
      TileCard.Step(
        least: PixelSize(width: least, height: least),
        parts: sprites.filter { _ in rarely(2) }.map { sprite in
          rarely(2)
            ? TileCard.PlacedDrawing(centered: sprite)
            : TileCard.PlacedDrawing(
              sprite: sprite, anchorX: Double.random(in: 0...1, using: &generator), anchorY: 1,
              x: -5, y: -9)
        })
    }
    return TileCard(color: color(), steps: steps)
  }

  private mutating func freshLayer() -> TileLayer {
    if rarely(6) { return .card(card()) }
    if rarely(5) { return .fill(color()) }
    let isLarge = rarely(6)
    let size = PixelSize(
      width: Int.random(in: 1...(isLarge ? 300 : 70), using: &generator),
      height: Int.random(in: 1...(isLarge ? 200 : 50), using: &generator))
    let spaces = [
      ColorSpace.canvas, ColorSpace.canvas, ColorSpace(matrix: .bt601, range: .limited),
      ColorSpace(matrix: .bt709, range: .full),
    ]
    return .picture(
      Pictures.noise(
        size, color: spaces.randomElement(using: &generator) ?? .canvas,
        orientation: rarely(2)
          ? .upright : Orientation.allCases.randomElement(using: &generator) ?? .upright,
        sampleAspectRatio: rarely(3)
          ? SampleAspectRatio(Int.random(in: 1...3, using: &generator), 2) : .square,
        using: &generator))
  }
}

extension TileLayer {
  /// The content with this layer only.
  var content: TileContent {
    switch self {
    case .fill(let color): .fill(color)
    case .picture(let picture): .picture(picture)
    case .card(let card): .card(card)
    }
  }
}

extension TileCard.PlacedDrawing {
  /// Creates a part with the center of `sprite` at the center of the tile.
  init(centered sprite: Sprite) {
    self.init(
      sprite: sprite, anchorX: 0.5, anchorY: 0.5, x: -(sprite.size.width / 2),
      y: -(sprite.size.height / 2))
  }
}
