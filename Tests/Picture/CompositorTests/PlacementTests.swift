import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct TrackPlacerTests {
  private static func compose(
    _ picture: Picture, in frame: Rect, fit: PictureFit,
    size: PixelSize = PixelSize(width: 48, height: 32)
  ) -> Snapshot {
    var compositor = Compositor()
    let scene = Scene(
      size: size, background: .black, tiles: [TilePlacement(item: 0, frame: frame, fit: fit)])
    return compositor.snapshot(scene, [.picture(picture)])
  }

  private static let whole = Rect(x: 0, y: 0, width: 48, height: 32)

  @Test func containedPictureHasBackgroundBesideIt() {
    let picture = Pictures.plain(PixelSize(width: 64, height: 64), luma: 180)
    let canvas = Self.compose(picture, in: Self.whole, fit: .contain)
    for x in 0..<48 { #expect(canvas.luma(x, 16) == ((8..<40).contains(x) ? 180 : 16)) }
  }

  @Test func aCoveringPictureIsCroppedAtItsSides() {
    // Luma 50, 150 and 250 by thirds of the width; only the middle half is shown.
    let picture = Pictures.drawn(PixelSize(width: 96, height: 32)) { x, _ in
      x < 24 ? 50 : x < 72 ? 150 : 250
    }
    let canvas = Self.compose(picture, in: Self.whole, fit: .cover)
    #expect((0..<48).allSatisfy { canvas.luma($0, 16) == 150 })
  }

  /// Returns the drawing of a square picture in a 3:2 tile with coverage `share`.
  private static func compose(share: Double?, aspectRatio: Double = 1, fit: PictureFit) -> Snapshot
  {
    var generator = SplitMix64(seed: 5)
    let picture = Pictures.noise(PixelSize(width: 64, height: 64), using: &generator)
    var tile = TilePlacement(item: 0, frame: whole, fit: fit)
    tile.coverage = share.map { TilePlacement.FillFraction(aspectRatio: aspectRatio, share: $0) }
    var compositor = Compositor()
    let scene = Scene(size: PixelSize(width: 48, height: 32), background: .black, tiles: [tile])
    return compositor.snapshot(scene, [.picture(picture)])
  }

  @Test func coverageInterpolatesBetweenTheFits() {
    let (contained, covering) = (
      Self.compose(share: nil, fit: .contain), Self.compose(share: nil, fit: .cover)
    )
    for fit in [PictureFit.auto, .cover, .contain] {
      #expect(Self.compose(share: 0, fit: fit) == contained)
      #expect(Self.compose(share: 1, fit: fit) == covering)
    }
    let halfway = Self.compose(share: 0.5, fit: .cover)
    for x in 0..<48 {
      let isBackground = (0..<32).allSatisfy { halfway.luma(x, $0) == 16 }
      #expect(isBackground == !(4..<44).contains(x))
    }
  }

  @Test func coverageAppliesToItsAspectRatioOnly() {
    let covering = Self.compose(share: nil, fit: .cover)
    #expect(Self.compose(share: 0, aspectRatio: 1.2, fit: .cover) == covering)
  }

  @Test func equalSizeIsACopy() {
    var generator = SplitMix64(seed: 1)
    let picture = Pictures.noise(PixelSize(width: 48, height: 32), using: &generator)
    let canvas = Self.compose(picture, in: Self.whole, fit: .cover)
    for y in 0..<32 { for x in 0..<48 { #expect(canvas.luma(x, y) == picture.luma[x, y]) } }
    for y in 0..<16 { for x in 0..<24 { #expect(canvas.red(x, y) == picture.red[x, y]) } }
  }

  @Test(arguments: Orientation.allCases)
  func orientationsRotateTheQuarters(orientation: Orientation) {
    func quarter(_ x: Int, _ y: Int, _ size: PixelSize) -> UInt8 {
      UInt8(40 + 50 * ((2 * x >= size.width ? 1 : 0) + (2 * y >= size.height ? 2 : 0)))
    }
    let size = PixelSize(width: 64, height: 40)
    let picture = Pictures.drawn(
      size, orientation: orientation, luma: { quarter($0, $1, size) },
      blue: { quarter($0, $1, size.chroma) })
    let shown =
      orientation.transposes ? PixelSize(width: 20, height: 32) : PixelSize(width: 48, height: 30)
    let frame = Rect(x: 0, y: 0, width: Double(shown.width), height: Double(shown.height))
    let canvas = Self.compose(picture, in: frame, fit: .contain)
    for right in [false, true] {
      for low in [false, true] {
        // The displayed quarter, mapped back through the transposition and then the mirroring.
        let (column, row) = orientation.transposes ? (low, right) : (right, low)
        let codedX = column != orientation.mirrorsHorizontally
        let codedY = row != orientation.mirrorsVertically
        let expected = UInt8(40 + 50 * ((codedX ? 1 : 0) + (codedY ? 2 : 0)))
        let (x, y) = (shown.width / 4 * (right ? 3 : 1), shown.height / 4 * (low ? 3 : 1))
        #expect(canvas.luma(x, y) == expected)
        #expect(canvas.blue(x / 2, y / 2) == expected)
      }
    }
  }

  @Test func nonSquarePixelsAreStretched() {
    let picture = Pictures.drawn(
      PixelSize(width: 30, height: 40), sampleAspectRatio: SampleAspectRatio(8, 3),
      luma: { _, _ in 200 })
    // 30 * 8/3 by 40 is 2:1.
    let canvas = Self.compose(picture, in: Self.whole, fit: .contain)
    for y in 0..<32 { #expect(canvas.luma(24, y) == ((4..<28).contains(y) ? 200 : 16)) }
  }

  @Test(arguments: [(0, 16), (255, 235), (128, 126)] as [(UInt8, UInt8)])
  func fullRangeBecomesLimited(full: UInt8, limited: UInt8) {
    let picture = Pictures.drawn(
      PixelSize(width: 64, height: 36), color: ColorSpace(matrix: .bt709, range: .full),
      luma: { _, _ in full })
    let canvas = Self.compose(picture, in: Self.whole, fit: .cover)
    #expect(Set(canvas.planes[0]) == [limited])
    #expect(Set(canvas.planes[1]) == [128])
  }

  @Test func redInBT601BecomesTheCanvasRed() {
    // Red in BT.601: Y'CbCr 81, 90, 240.
    let picture = Pictures.drawn(
      PixelSize(width: 64, height: 36), color: ColorSpace(matrix: .bt601, range: .limited),
      luma: { _, _ in 81 }, blue: { _, _ in 90 }, red: { _, _ in 240 })
    let canvas = Self.compose(picture, in: Self.whole, fit: .cover)
    let red = Color(rgb: 0xff0000).canvasSample
    #expect(abs(Int(canvas.luma(20, 20)) - Int(red.luma)) <= 1)
    #expect(abs(Int(canvas.blue(10, 10)) - Int(red.blue)) <= 1)
    #expect(abs(Int(canvas.red(10, 10)) - Int(red.red)) <= 1)
  }

  @Test func aTileMovesByFractionsOfAPixel() {
    let picture = Pictures.drawn(PixelSize(width: 40, height: 24)) { x, _ in UInt8(40 + 4 * x) }
    func luma(_ shift: Double) -> UInt8 {
      Self.compose(
        picture, in: Rect(x: 2 + shift, y: 2, width: 40, height: 24), fit: .cover
      ).luma(20, 10)
    }
    #expect(luma(0) == 112)
    #expect(luma(0.25) == 111)
    #expect(luma(0.5) == 110)
    #expect(luma(0.75) == 109)
    #expect(luma(1) == 108)
  }

  @Test(arguments: [(1, 1), (1, 9), (161, 121), (17, 3)])
  func oddSizesCoverTheTile(width: Int, height: Int) {
    let picture = Pictures.plain(
      PixelSize(width: width, height: height), luma: 77, blue: 99, red: 150)
    let canvas = Self.compose(picture, in: Self.whole, fit: .cover)
    #expect(Set(canvas.planes[0]) == [77])
    #expect(Set(canvas.planes[1]) == [99])
    #expect(Set(canvas.planes[2]) == [150])
  }

  @Test(arguments: PixelKernels.InstructionSet.available)
  func allLevelsDrawEqualCanvases(level: PixelKernels.InstructionSet) {
    var random = RandomScene(seed: 77, items: 5)
    var compositor = Compositor(kernels: PixelKernels(level: level))
    var reference = Compositor(kernels: PixelKernels(level: .c))
    for _ in 0..<20 {
      let canvas = compositor.snapshot(random.scene, random.frames.contents)
      let expected = reference.snapshot(random.scene, random.frames.contents)
      #expect(canvas.firstDifference(from: expected) == nil)
      random.step()
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
  func framesFarAwayDrawNothing(position: Double) {
    let picture = Pictures.plain(PixelSize(width: 64, height: 36), luma: 180)
    let frame = Rect(x: position, y: 0, width: 20, height: 20)
    let canvas = Self.compose(picture, in: frame, fit: .cover)
    #expect(Set(canvas.planes[0]) == [16])
  }
}
