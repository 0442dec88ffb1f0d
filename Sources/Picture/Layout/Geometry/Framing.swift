/// The point of a picture that cropping keeps in sight, its position in the tile and the zoom.
package struct Framing: Hashable, Sendable, Codable {
  /// The point to keep in sight, in units of the picture's displayed width and height.
  package var point: Point
  /// The wanted distance of the point from the tile's upper edge, as a fraction of the tile's
  /// height.
  ///
  /// Horizontally the point is centered. Near the picture's edges the crop stops at the edge
  /// instead.
  package var line: Double
  /// The extra magnification of the picture beyond what filling the tile needs, at least 1.
  package var zoom: Double

  /// The height of the face whose eyes are at ``point``, as a fraction of the picture's height; 0
  /// if there is no face.
  package var face: Double

  /// Creates a framing of `point`, by default centered, without zoom and without a face. A `zoom`
  /// below 1 becomes 1.
  package init(_ point: Point, line: Double = 0.5, zoom: Double = 1, face: Double = 0) {
    (self.point, self.line, self.zoom, self.face) = (point, line, max(1, zoom), face)
  }

  /// The usual value of ``line`` for the eyes of a person: above the middle.
  package static let eyeLine = 0.4

  /// Returns the framing at the fraction `share` (`0...1`) of the way from this framing to `other`.
  package func mixed(with other: Framing, share: Double) -> Framing {
    func mix(_ from: Double, _ to: Double) -> Double { from + (to - from) * share }
    return Framing(
      Point(x: mix(point.x, other.point.x), y: mix(point.y, other.point.y)),
      line: mix(line, other.line), zoom: mix(zoom, other.zoom), face: other.face)
  }

  /// Returns the rectangle of the face in `tile`, which shows a picture of `aspectRatio` at
  /// `coverage`; `nil` if the framing has no face.
  package func faceArea(in tile: Rect, aspectRatio: Double, coverage: Double) -> Rect? {
    guard face > 0, aspectRatio > 0 else { return nil }
    let place = PictureFit.Placement(
      aspectRatio: aspectRatio, in: tile, coverage: coverage, focus: self)
    let (x, y) = (
      place.destination.width / place.crop.width, place.destination.height / place.crop.height
    )
    // The eyes are at three eighths of the face's height.
    let (width, top) = (face / aspectRatio, point.y - face * 0.375)
    return Rect(
      x: place.destination.x + (point.x - width / 2 - place.crop.x) * x,
      y: place.destination.y + (top - place.crop.y) * y, width: width * x, height: face * y)
  }

  /// Returns the crop that shows the fractions `width` and `height` of a picture, divided by
  /// ``zoom``, around ``point``.
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
