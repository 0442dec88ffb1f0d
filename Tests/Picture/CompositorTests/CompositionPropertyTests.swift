import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TestSupport
import Testing

@Suite(.timed) struct CompositionPropertyTests {
  /// Incremental composition equals a redraw, and a redraw over a tile of the background's color.
  @Test(arguments: PixelKernels.InstructionSet.available, ResampleFilter.allCases)
  func anyChangeEqualsARedraw(level: PixelKernels.InstructionSet, filter: ResampleFilter) {
    let kernels = PixelKernels(level: level)
    for seed in 0..<30 {
      var random = RandomScene(seed: UInt64(seed), items: 1 + seed % 9)
      var compositor = Compositor(kernels: kernels, filter: filter)
      var fresh = Compositor(kernels: kernels, filter: filter)
      var canvas = Canvas(size: random.scene.size)
      for frame in 0..<25 {
        _ = compositor.compose(random.scene, random.frames, onto: &canvas)
        let shown = Snapshot(canvas)
        let whole = fresh.snapshot(random.scene, random.frames.contents)
        var contents = random.frames.contents
        contents[contents.count - 1] = random.ground
        let over = fresh.snapshot(random.sceneOverATile, contents)
        let difference = shown.firstDifference(from: whole) ?? shown.firstDifference(from: over)
        #expect(difference == nil, "seed \(seed), frame \(frame)")
        guard difference == nil else { return }
        random.step()
      }
    }
  }

  /// A picture so oblong that it vanishes at an odd row leaves a sprite beside it unchanged.
  @Test func vanishingPictureIsNotDrawn() {
    var compositor = Compositor()
    var generator = SplitMix64(seed: 1)
    let mask = Image(.gray8, size: PixelSize(width: 4, height: 20))
    var tile = TilePlacement(item: 1, frame: Rect(x: 60, y: 0, width: 5, height: 22), fit: .contain)
    tile.sprites = [SpritePlacement(mask, in: .white, x: 0, y: 0)]
    let below = TilePlacement(item: 0, frame: Rect(x: 0, y: 0, width: 20, height: 8))
    let scene = Scene(
      size: PixelSize(width: 96, height: 64), background: .black, tiles: [below, tile])
    let oblong = Pictures.noise(PixelSize(width: 300, height: 1), using: &generator)
    let other = Pictures.noise(
      PixelSize(width: 8, height: 8), color: ColorSpace(matrix: .bt601, range: .full),
      using: &generator)
    let contents = [TileContent.picture(other), .picture(oblong)]
    var without = scene
    without.tiles.removeLast()
    #expect(
      compositor.snapshot(scene, contents).firstDifference(
        from: compositor.snapshot(without, contents)) == nil)
  }
}
