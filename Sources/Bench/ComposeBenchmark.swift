internal import TesseraCompositor
internal import TesseraLayout
internal import TesseraPixels

/// A grid of 720p pictures on a 1080p canvas.
struct ComposeBenchmarkCase: Sendable {
  /// The decoration of the tiles and the kind of their pictures.
  enum Style: Sendable {
    case plain
    /// Rounded corners, a border and a label.
    case decorated
    /// ``decorated`` with 90 % opacity, so that the background shows through.
    case translucent
    /// The look of a real call: rounded corners, a name plate and a badge on every tile, and a
    /// border around the active speaker.
    case named
    /// Portrait pictures fitted whole into wide tiles, with bars.
    case barred
    /// Portrait pictures fitted whole into wide tiles, over blurred copies of themselves.
    case blurred
    /// Pictures in BT.601, whose colors are converted.
    case older
  }

  var name: String
  /// The number of columns, which is also the number of rows.
  var side: Int
  var style: Style
  /// The number of tiles whose picture changes from frame to frame.
  var changing: Int
  /// True if all tiles move and change their size from frame to frame, as in a transition.
  var isMoving = false

  static let canvas = PixelSize(width: 1920, height: 1080)
  static let source = PixelSize(width: 1280, height: 720)

  static let listed =
    [2, 3, 5, 7].flatMap { side in
      let count = side * side
      return [
        ComposeBenchmarkCase(name: "\(count) tiles", side: side, style: .plain, changing: count),
        ComposeBenchmarkCase(
          name: "\(count) decorated", side: side, style: .decorated, changing: count),
        ComposeBenchmarkCase(
          name: "\(count) translucent", side: side, style: .translucent, changing: count),
      ]
    } + [
      ComposeBenchmarkCase(name: "1 of 49 tiles", side: 7, style: .plain, changing: 1),
      ComposeBenchmarkCase(name: "0 of 49 tiles", side: 7, style: .plain, changing: 0),
      ComposeBenchmarkCase(name: "9 named", side: 3, style: .named, changing: 9),
      ComposeBenchmarkCase(name: "25 named", side: 5, style: .named, changing: 25),
      ComposeBenchmarkCase(name: "4 blurred", side: 2, style: .blurred, changing: 4),
      ComposeBenchmarkCase(name: "9 blurred", side: 3, style: .blurred, changing: 9),
      ComposeBenchmarkCase(name: "9 barred", side: 3, style: .barred, changing: 9),
      ComposeBenchmarkCase(name: "9 in BT.601", side: 3, style: .older, changing: 9),
      ComposeBenchmarkCase(
        name: "25 moving", side: 5, style: .decorated, changing: 25, isMoving: true),
    ]

  /// The size of the pictures, portrait for the styles that need it.
  var source: PixelSize {
    style == .barred || style == .blurred ? Self.source.transposed : Self.source
  }

  /// The case with the same tiles and changing pictures, but without decoration and motion.
  var plain: ComposeBenchmarkCase {
    var plain = self
    plain.style = style == .blurred ? .barred : .plain
    plain.isMoving = false
    return plain
  }

  /// The tiles of the grid, with gaps of 6 pixels, aligned to whole pixels.
  var scene: Scene {
    let (gap, columns) = (6.0, Double(side))
    let width = ((Double(Self.canvas.width) - gap) / columns - gap).rounded(.down)
    let height = ((Double(Self.canvas.height) - gap) / columns - gap).rounded(.down)
    let bytes = (0..<120 * 24).flatMap { _ in [UInt8](repeating: 255, count: 3) + [0] }
    let label = SpritePlacement(
      Sprite(ColorImage(width: 120, height: 24, bytes: bytes)), x: 8, y: Int(height) - 32)
    let tiles = (0..<side * side).map { item in
      var tile = TilePlacement(
        item: item,
        frame: Rect(
          x: gap + Double(item % side) * (width + gap),
          y: gap + Double(item / side) * (height + gap), width: width, height: height),
        fit: .cover)
      switch style {
      case .plain, .older: return tile
      case .barred: return tile.fitting(.contain)
      case .blurred: return tile.fitting(.blur)
      case .named: return tile.named(speaks: item == 1, height: Int(height))
      case .decorated, .translucent: break
      }
      tile.alpha = style == .translucent ? 0.9 : 1
      tile.cornerRadius = 12
      tile.border = TilePlacement.Border(width: 3, color: .white)
      tile.sprites = [label]
      return tile
    }
    return Scene(size: Self.canvas, background: .black, tiles: tiles)
  }
}

extension TilePlacement {
  fileprivate func fitting(_ fit: PictureFit) -> TilePlacement {
    var tile = self
    tile.fit = fit
    return tile
  }

  /// Returns the tile with a name plate and a badge, and with a border if the person speaks.
  fileprivate func named(speaks: Bool, height: Int) -> TilePlacement {
    var tile = self
    tile.cornerRadius = 12
    if speaks { tile.border = Border(width: 4, color: Color(rgb: 0x3b82f6), opacity: 0.8) }
    tile.sprites = [
      SpritePlacement(Self.plate, x: 10, y: height - 38),
      SpritePlacement(Self.sign, x: 10 + Self.plate.size.width + 6, y: height - 38),
    ]
    return tile
  }

  private static let plate = sprite(PixelSize(width: 148, height: 28))
  private static let sign = sprite(PixelSize(width: 28, height: 28))

  /// Draws a dark plate with stripes in place of letters.
  private static func sprite(_ size: PixelSize) -> Sprite {
    let bytes = (0..<size.area).flatMap { index -> [UInt8] in
      let (x, y) = (index % size.width, index / size.width)
      let isInk = (8..<20).contains(y) && x % 7 < 3
      return isInk ? [250, 250, 250, 255] : [10, 12, 14, 160]
    }
    return Sprite(ColorImage(width: size.width, height: size.height, bytes: bytes))
  }
}

/// Composes the frames of one ``ComposeBenchmarkCase``, one frame for each call of ``step()``.
struct ComposeBenchmark: ~Copyable {
  private var scene: Scene
  private let frames: [ItemContents]
  /// The tiles' rectangles in the scene if the tiles move; otherwise empty.
  private let places: [Rect]
  private var compositor: Compositor
  private var canvas = Canvas(size: ComposeBenchmarkCase.canvas)
  private var frame = 0

  /// Creates the bench for `item` and composes the first frame. The tiles show `pictures` in turn.
  init(_ item: ComposeBenchmarkCase, pictures: [Picture], kernels: PixelKernels) {
    scene = item.scene
    places = item.isMoving ? scene.tiles.map(\.frame) : []
    let count = scene.tiles.count
    frames = pictures.indices.map { frame in
      ItemContents(
        (0..<count).map { tile in
          .picture(pictures[(tile + (tile < item.changing ? frame : 0)) % pictures.count])
        })
    }
    compositor = Compositor(kernels: kernels)
    step()
  }

  /// Composes the next frame.
  @discardableResult
  mutating func step() -> ComposeStatistics {
    frame += 1
    for (tile, place) in places.enumerated() {
      let progress = (0.0137 * Double(frame * (tile + 1))).truncatingRemainder(dividingBy: 1)
      scene.tiles[tile].frame = place.inset(by: 4 * progress)
    }
    return compositor.compose(scene, frames[frame % frames.count], onto: &canvas)
  }
}

/// Runs only the resampling of a case's changing tiles, without the compositor.
struct ResamplingBenchmark: ~Copyable {
  private let plans: [PictureScalePlan]
  private let pictures: [Picture]
  private let canvas = Image(.yuv420p8, size: ComposeBenchmarkCase.canvas)
  private var resampler: PlaneResampler
  private var frame = 0

  init(_ item: ComposeBenchmarkCase, pictures: [Picture], kernels: PixelKernels) {
    var planner = ResamplePlanner(kernels: kernels)
    let source = item.source
    plans = item.scene.tiles.prefix(item.changing).map { tile in
      let aspectRatio = Double(source.width) / Double(source.height)
      let place = PictureFit.cover.place(aspectRatio: aspectRatio, in: tile.frame)
      return planner.plan(
        PictureScalePlan.Geometry(
          source: source, orientation: .upright, crop: Self.area(place.crop),
          destination: Self.area(tile.frame),
          area: PixelRect(
            x: Int(tile.frame.x), y: Int(tile.frame.y), width: Int(tile.frame.width),
            height: Int(tile.frame.height)),
          filter: .bicubic))
    }
    self.pictures = pictures
    resampler = PlaneResampler(kernels: kernels)
  }

  /// Scales the pictures of the next frame.
  mutating func step() {
    frame += 1
    for (tile, plan) in plans.enumerated() {
      let picture = pictures[(tile + frame) % pictures.count]
      let area = plan.geometry.area
      scale(picture.luma, plan.luma, to: area, plane: 0)
      scale(picture.blue, plan.chroma, to: area.chroma, plane: 1)
      scale(picture.red, plan.chroma, to: area.chroma, plane: 2)
    }
  }

  private mutating func scale(
    _ source: Plane, _ plan: PlaneScalePlan, to area: PixelRect, plane: Int
  ) {
    resampler.scale(source, by: plan, into: canvas[plane: plane].cropped(to: area))
  }

  private static func area(_ rect: Rect) -> PictureScalePlan.FractionalRect {
    PictureScalePlan.FractionalRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}
