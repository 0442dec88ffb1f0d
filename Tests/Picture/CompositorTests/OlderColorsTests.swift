import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TestSupport
import Testing

/// Pictures in BT.601 compared with a float64 reference: all planes are scaled to the target's
/// positions, including chroma for luma, then converted by one matrix, and rounded once.
@Suite(.timed) struct OlderColorsTests {
  private static let source = PixelSize(width: 160, height: 96)

  /// Blocks of saturated colors in BT.601: red, blue, green, yellow, cyan, magenta.
  private static let colors: [[UInt8]] = [
    [81, 90, 240], [41, 240, 110], [145, 54, 34], [210, 16, 146], [170, 166, 16], [106, 202, 222],
  ]

  /// Returns a sample of plane `index`, whose samples cover `pitch` pixels on either axis.
  private static func sample(_ index: Int, _ x: Int, _ y: Int, pitch: Int) -> UInt8 {
    colors[(x * pitch / 22 + 2 * (y * pitch / 18)) % colors.count][index]
  }

  private static func picture(_ color: ColorSpace) -> Picture {
    Pictures.drawn(
      source, color: color, luma: { sample(0, $0, $1, pitch: 1) },
      blue: { sample(1, $0, $1, pitch: 2) }, red: { sample(2, $0, $1, pitch: 2) })
  }

  /// The positions of a plane's samples in pixels: half a pixel from the edge and one pixel apart,
  /// or two pixels apart, on the first of two columns and between two rows.
  private struct Grid {
    var pitch: Double
    var offset: Double
    static let pixels = Grid(pitch: 1, offset: 0.5)
    static let chromaColumns = Grid(pitch: 2, offset: 0.5)
    static let chromaRows = Grid(pitch: 2, offset: 1)
  }

  /// Returns Catmull-Rom weights, widened for downscaling.
  private static func weights(
    _ count: Int, of sourceCount: Int, scale: Double, from source: Grid, to target: Grid
  ) -> [[(at: Int, weight: Double)]] {
    let step = scale * target.pitch / source.pitch
    let stretch = max(1, step)
    return (0..<count).map { index in
      let position = scale * (target.pitch * Double(index) + target.offset)
      let center = (position - source.offset) / source.pitch
      let range =
        Int((center - 2 * stretch).rounded(.up))...Int((center + 2 * stretch).rounded(.down))
      let taps = range.map { at in
        let x = abs(Double(at) - center) / stretch
        let weight =
          x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((2.5 - 0.5 * x) * x - 4) * x + 2 : 0
        return (at: min(max(0, at), sourceCount - 1), weight: weight)
      }
      let sum = taps.reduce(0) { $0 + $1.weight }
      return taps.map { (at: $0.at, weight: $0.weight / sum) }
    }
  }

  /// Returns plane `index` at the positions of plane `target` of a canvas of `size`, clamped to
  /// eight bits but not rounded.
  private static func plane(_ index: Int, at target: Int, of size: PixelSize) -> [Double] {
    let scale = Double(source.width) / Double(size.width)
    let (from, to) = (index == 0 ? source : source.chroma, target == 0 ? size : size.chroma)
    func grid(_ plane: Int, _ chroma: Grid) -> Grid { plane == 0 ? .pixels : chroma }
    let columns = weights(
      to.width, of: from.width, scale: scale, from: grid(index, .chromaColumns),
      to: grid(target, .chromaColumns))
    let rows = weights(
      to.height, of: from.height, scale: scale, from: grid(index, .chromaRows),
      to: grid(target, .chromaRows))
    let pitch = index == 0 ? 1 : 2
    let middle = (0..<from.height).map { y in
      columns.map { taps in
        taps.reduce(0) { $0 + $1.weight * Double(sample(index, $1.at, y, pitch: pitch)) }
      }
    }
    return rows.flatMap { taps in
      (0..<to.width).map { x in
        min(255, max(0, taps.reduce(0) { $0 + $1.weight * middle[$1.at][x] }))
      }
    }
  }

  /// Converts BT.601 values to BT.709, both in limited range.
  private static func newer(_ y: Double, _ blue: Double, _ red: Double) -> [Double] {
    let (cb, cr) = ((blue - 128) / 224, (red - 128) / 224)
    let luma = (y - 16) / 219
    let (b, r) = (luma + 1.772 * cb, luma + 1.402 * cr)
    let g = (luma - 0.299 * r - 0.114 * b) / 0.587
    let newer = 0.2126 * r + 0.7152 * g + 0.0722 * b
    return [
      16 + 219 * newer, 128 + 224 * (b - newer) / 1.8556, 128 + 224 * (r - newer) / 1.5748,
    ]
  }

  /// Returns the maximum error of a canvas of `size` for every plane.
  private static func errors(_ size: PixelSize, _ matrix: ColorSpace.Matrix) -> [Double] {
    let rect = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    var compositor = Compositor()
    let canvas = compositor.snapshot(
      Scene(
        size: size, background: .black, tiles: [TilePlacement(item: 0, frame: rect, fit: .cover)]),
      [.picture(picture(ColorSpace(matrix: matrix, range: .limited)))])
    return (0..<3).map { target in
      let planes = (0..<3).map { plane($0, at: target, of: size) }
      return canvas.planes[target].indices.map { index in
        let old = planes.map { $0[index] }
        let wanted = matrix == .bt601 ? newer(old[0], old[1], old[2])[target] : old[target]
        return abs(Double(canvas.planes[target][index]) - min(255, max(0, wanted)))
      }.max() ?? 0
    }
  }

  /// As exact as pictures in the canvas's colors, except for the rounding of three values instead
  /// of one.
  @Test(arguments: [160, 80, 120, 140, 240, 320])
  func saturatedEdgesAreExact(width: Int) {
    let size = PixelSize(width: width, height: width * 96 / 160)
    let (older, own) = (Self.errors(size, .bt601), Self.errors(size, .bt709))
    for (plane, pair) in zip(older, own).enumerated() {
      #expect(pair.0 <= pair.1 + 1.5, "plane \(plane): \(pair.0), in BT.709 \(pair.1)")
    }
  }
}
