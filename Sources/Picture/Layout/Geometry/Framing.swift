/// What of a picture cropping keeps in sight, and where in the tile that is.
package struct Framing: Hashable, Sendable, Codable {
  /// The point of the picture, in units of its width and height as displayed.
  package var point: Point
  /// How far from the tile's upper edge the point is to be, as a part of the tile's height; it is in
  /// the middle of its width. As near as the picture's edges allow.
  package var line: Double
  /// How many times larger than need be the picture is, at least 1.
  package var zoom: Double

  /// The height of the face whose eyes are at the point, as a part of the picture's; 0 where there is
  /// none.
  package var face: Double

  /// `point` in the middle, unless more is said.
  package init(_ point: Point, line: Double = 0.5, zoom: Double = 1, face: Double = 0) {
    (self.point, self.line, self.zoom, self.face) = (point, line, max(1, zoom), face)
  }

  /// Where eyes are in a picture of a person: above the middle.
  package static let eyeLine = 0.4

  /// What is seen between this and `other`, 0...1 of the way.
  package func mixed(with other: Framing, share: Double) -> Framing {
    func mix(_ from: Double, _ to: Double) -> Double { from + (to - from) * share }
    return Framing(
      Point(x: mix(point.x, other.point.x), y: mix(point.y, other.point.y)),
      line: mix(line, other.line), zoom: mix(zoom, other.zoom), face: other.face)
  }

  /// Where the face is in `tile`, which shows a picture of `aspectRatio` by so much `coverage`; nil
  /// where there is none.
  package func faceArea(in tile: Rect, aspectRatio: Double, coverage: Double) -> Rect? {
    guard face > 0, aspectRatio > 0 else { return nil }
    let place = Fit.Placement(
      aspectRatio: aspectRatio, in: tile, coverage: coverage, focus: self)
    let (x, y) = (
      place.destination.width / place.crop.width, place.destination.height / place.crop.height
    )
    // Eyes are at three eighths of it.
    let (width, top) = (face / aspectRatio, point.y - face * 0.375)
    return Rect(
      x: place.destination.x + (point.x - width / 2 - place.crop.x) * x,
      y: place.destination.y + (top - place.crop.y) * y, width: width * x, height: face * y)
  }

  /// The part of a picture of which so much is shown in units of its width and height.
  func crop(width: Double, height: Double) -> Rect {
    let (width, height) = (width / zoom, height / zoom)
    func start(_ center: Double, _ length: Double, _ share: Double) -> Double {
      max(0, min(1 - length, center - length * share))
    }
    return Rect(
      x: start(point.x, width, 0.5), y: start(point.y, height, line), width: width,
      height: height)
  }
}
