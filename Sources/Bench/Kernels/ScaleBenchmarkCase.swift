internal import Foundation
internal import TesseraPixels

/// One scaling task: a picture, its visible part and the destination rectangle.
struct ScaleBenchmarkCase: Sendable {
  var source: PixelSize
  /// The visible part, as fractions of the picture.
  var crop = PictureScalePlan.FractionalRect(x: 0, y: 0, width: 1, height: 1)
  /// The canvas pixels that are drawn.
  var area: PixelRect
  /// The distance from the picture's left and top edges to the first drawn pixel, in canvas pixels.
  var phase: (x: Double, y: Double) = (0, 0)

  init(_ source: PixelSize, to target: PixelSize) {
    self.source = source
    area = PixelRect(target)
  }

  var target: PixelSize { area.size }

  var name: String {
    "\(source.width)x\(source.height) -> \(target.width)x\(target.height)"
  }

  /// The number of source samples per destination sample, along each axis.
  var ratio: (x: Double, y: Double) {
    (
      crop.width * Double(source.width) / Double(target.width),
      crop.height * Double(source.height) / Double(target.height)
    )
  }

  /// The number of source pixels that `filter` reads, including its reach beyond the visible part.
  func pixelsRead(_ filter: ResampleFilter) -> Double {
    func length(_ start: Double, _ length: Double, _ count: Int, _ ratio: Double) -> Double {
      let reach = filter.radius(step: ratio) - ratio / 2
      let end = min((start + length) * Double(count) + reach, Double(count))
      return end - max(start * Double(count) - reach, 0)
    }
    return length(crop.x, crop.width, source.width, ratio.x)
      * length(crop.y, crop.height, source.height, ratio.y)
  }

  func geometry(_ filter: ResampleFilter) -> PictureScalePlan.Geometry {
    PictureScalePlan.Geometry(
      source: source, orientation: .upright, crop: crop,
      destination: PictureScalePlan.FractionalRect(
        x: Double(area.x) - phase.x, y: Double(area.y) - phase.y,
        width: Double(area.width) + phase.x, height: Double(area.height) + phase.y),
      area: area, filter: filter)
  }
}

extension ScaleBenchmarkCase {
  /// Sizes from real grids, and one enlargement.
  static let listed = [
    ((1280, 720), (640, 360)), ((1280, 720), (426, 240)), ((1280, 720), (320, 180)),
    ((1280, 720), (256, 144)), ((640, 480), (480, 360)), ((640, 360), (640, 360)),
    ((1920, 1080), (480, 270)), ((1920, 1080), (1280, 720)), ((720, 1280), (202, 360)),
    ((640, 360), (960, 540)),
  ].map { (from, to) in
    ScaleBenchmarkCase(
      PixelSize(width: from.0, height: from.1), to: PixelSize(width: to.0, height: to.1))
  }

  /// Returns pictures of odd sizes with random crops, drawn at odd and fractional offsets. The
  /// generator has a fixed seed.
  static func random(_ count: Int) -> [ScaleBenchmarkCase] {
    var generator = RandomGenerator()
    return (0..<count).map { _ in
      let source = PixelSize(
        width: generator.integer(481...1921), height: generator.integer(361...1081))
      let shown = (generator.fraction(0.6...1), generator.fraction(0.6...1))
      let ratio = exp(generator.fraction(log(0.8)...log(5)))
      let stretch = generator.fraction(0.95...1.05)
      let target = PixelSize(
        width: min(960, Int(shown.0 * Double(source.width) / ratio)),
        height: min(540, Int(shown.1 * Double(source.height) / ratio * stretch)))
      var item = ScaleBenchmarkCase(source, to: target)
      item.crop = PictureScalePlan.FractionalRect(
        x: generator.fraction(0...1 - shown.0), y: generator.fraction(0...1 - shown.1),
        width: shown.0, height: shown.1)
      item.area.x = generator.integer(1...900) | 1
      item.area.y = generator.integer(1...500) | 1
      item.phase = (generator.fraction(0...1), generator.fraction(0...1))
      return item
    }
  }

  /// The linear congruential generator of Numerical Recipes.
  private struct RandomGenerator {
    private var state: UInt32 = 2026

    mutating func fraction(_ range: ClosedRange<Double>) -> Double {
      state = state &* 1_664_525 &+ 1_013_904_223
      let length = range.upperBound - range.lowerBound
      return range.lowerBound + length * Double(state) / 4_294_967_296
    }

    mutating func integer(_ range: ClosedRange<Int>) -> Int {
      Int(fraction(Double(range.lowerBound)...Double(range.upperBound)).rounded())
    }
  }
}
