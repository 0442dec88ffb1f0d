internal import Glibc
internal import TesseraLayout

extension CountLettering {
  /// The corners of a line; a curve has one every six degrees or less.
  typealias Stroke = [Point]

  /// The width of a character's box, which is one unit high, y down.
  static let boxWidth = 0.54

  static let plus: [Stroke] = [
    line((0, 0.54), (0.54, 0.54)), line((0.27, 0.27), (0.27, 0.81)),
  ]

  /// The digits from 0 to 9.
  static let digits: [[Stroke]] = [
    [arc(0.27, 0.5, 0.27, 0.5, 0...360)],
    [line((0.08, 0.2), (0.34, 0), (0.34, 1))],
    [arc(0.27, 0.28, 0.26, 0.28, -170...35), line((0.483, 0.44), (0, 1), (0.54, 1))],
    [arc(0.26, 0.245, 0.24, 0.245, -155...90), arc(0.26, 0.745, 0.28, 0.255, -90...155)],
    [line((0.4, 1), (0.4, 0), (0, 0.7), (0.54, 0.7))],
    [line((0.5, 0), (0.08, 0), (0.05, 0.455)), arc(0.25, 0.68, 0.29, 0.32, -135...150)],
    [arc(0.27, 0.69, 0.27, 0.31, 0...360), arc(0.52, 0.69, 0.52, 0.69, 180...252)],
    [line((0, 0), (0.54, 0), (0.17, 1))],
    [arc(0.27, 0.24, 0.23, 0.24, 0...360), arc(0.27, 0.74, 0.27, 0.26, 0...360)],
    [arc(0.27, 0.31, 0.27, 0.31, 0...360), arc(0.02, 0.31, 0.52, 0.69, 0...72)],
  ]

  private static func line(_ corners: (x: Double, y: Double)...) -> Stroke {
    corners.map { Point(x: $0.x, y: $0.y) }
  }

  /// A part of the ellipse about (`x`, `y`), between two angles clockwise from the right.
  private static func arc(
    _ x: Double, _ y: Double, _ radiusX: Double, _ radiusY: Double,
    _ degrees: ClosedRange<Double>
  ) -> Stroke {
    let sweep = degrees.upperBound - degrees.lowerBound
    let count = (sweep / 6).rounded(.up)
    return (0...Int(count)).map { step in
      let angle = (degrees.lowerBound + sweep * Double(step) / count) * .pi / 180
      return Point(x: x + radiusX * cos(angle), y: y + radiusY * sin(angle))
    }
  }
}
