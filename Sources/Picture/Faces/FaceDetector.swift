import TesseraPixels

/// A face in a picture, in fractions of the picture's width and height, in units of 2^-16.
package struct Face: Hashable, Sendable, Codable {
  /// The left edge, top edge, width and height. The face is square in pixels: `width` is a fraction
  /// of the picture's width, `height` of its height.
  package var x: Int, y: Int, width: Int, height: Int
  /// The number of overlapping detections that were merged: the detector's confidence.
  package var weight = 1

  /// The fixed-point value of 1.
  package static let unit = 1 << 16

  /// The point midway between the eyes, which the cascade's window contains at 3/8 of its height.
  package var eyes: (x: Int, y: Int) { (x + width / 2, y + height * 3 / 8) }
}

/// Finds faces that look at the camera, in windows of growing size.
package struct FaceDetector: Sendable {
  private let cascade: FaceCascade

  /// The size of each window relative to the previous one, in percent.
  private static let step = 115
  /// The lowest number of neighboring windows that count as a face.
  private static let fewest = 4

  /// Creates a detector that classifies windows with `cascade`.
  package init(_ cascade: FaceCascade) { self.cascade = cascade }

  /// The faces in `picture`, in descending order of confidence.
  package func faces(in picture: GrayPicture) -> [Face] {
    var windows: [Window] = []
    var size = picture.size
    while size.width > FaceCascade.side, size.height > FaceCascade.side {
      let scaled = size == picture.size ? picture : picture.scaled(to: size)
      windows += search(scaled, of: picture.size)
      size = PixelSize(
        width: size.width * 100 / Self.step, height: size.height * 100 / Self.step)
    }
    return Self.grouped(windows).map { window in
      func part(_ length: Int, of whole: Int) -> Int { length * Face.unit / whole }
      let (width, height) = (picture.size.width, picture.size.height)
      return Face(
        x: part(window.x, of: width), y: part(window.y, of: height),
        width: part(window.side, of: width), height: part(window.side, of: height),
        weight: window.count)
    }
  }

  /// A square in which the cascade found a face, in pixels of the picture.
  private struct Window {
    var x: Int, y: Int, side: Int
    var count = 1

    /// True if both windows are close enough in place and size to be one face: within a fifth of
    /// the smaller side.
    func isNear(_ other: Window) -> Bool {
      let reach = min(side, other.side) / 5
      return abs(x - other.x) <= reach && abs(y - other.y) <= reach
        && abs(side - other.side) <= reach
    }
  }

  /// Classifies all windows of 24 by 24 pixels in `picture` and returns the passing ones, in pixels
  /// of the unscaled picture of size `whole`.
  private func search(_ picture: GrayPicture, of whole: PixelSize) -> [Window] {
    let (sums, stride) = (picture.integral, picture.size.width + 1)
    let tests = FlattenedCascade(cascade, stride: stride)
    var found: [Window] = []
    // Large windows pass at neighboring offsets too, so every second row and column suffices.
    let pace = picture.size.height * 2 > whole.height ? 2 : 1
    let (lastX, lastY) = (
      picture.size.width - FaceCascade.side, picture.size.height - FaceCascade.side
    )
    for y in Swift.stride(from: 0, through: lastY, by: pace) {
      for x in Swift.stride(from: 0, through: lastX, by: pace)
      where tests.pass(sums, at: y * stride + x) {
        found.append(
          Window(
            x: x * whole.width / picture.size.width, y: y * whole.height / picture.size.height,
            side: FaceCascade.side * whole.height / picture.size.height))
      }
    }
    return found
  }

  /// Averages clusters of neighboring windows and returns them in descending order of their counts.
  /// Clusters with fewer than ``fewest`` windows are dropped, as are clusters centered within one
  /// of higher confidence.
  private static func grouped(_ windows: [Window]) -> [Window] {
    var classes = Array(windows.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while classes[index] != index { index = classes[index] }
      return index
    }
    for one in windows.indices {
      for other in windows.indices.dropFirst(one + 1) where windows[one].isNear(windows[other]) {
        let (a, b) = (root(one), root(other))
        if a != b { classes[max(a, b)] = min(a, b) }
      }
    }
    let groups = Dictionary(grouping: windows.indices, by: root).values
      .filter { $0.count >= fewest }.map { group in
        let members = group.map { windows[$0] }
        let count = members.count
        return Window(
          x: members.reduce(0) { $0 + $1.x } / count, y: members.reduce(0) { $0 + $1.y } / count,
          side: members.reduce(0) { $0 + $1.side } / count, count: count)
      }.sorted { ($1.count, $0.x, $0.y, $0.side) < ($0.count, $1.x, $1.y, $1.side) }
    return groups.reduce(into: []) { kept, group in
      let isWithin = kept.contains { other in
        let (x, y) = (group.x + group.side / 2, group.y + group.side / 2)
        return other.x..<other.x + other.side ~= x && other.y..<other.y + other.side ~= y
      }
      if !isWithin { kept.append(group) }
    }
  }
}

/// The tests of a cascade in flat arrays, with sample offsets for one picture width.
private struct FlattenedCascade {
  /// The sixteen offsets of each test into the integral image, relative to the window's first sum.
  private var places: [Int] = []
  private var patterns: [UInt32] = []
  /// The votes of each test, two per test: for a clear bit, then for a set bit.
  private var leaves: [Int] = []
  /// For each stage, the index after its last test, and its threshold.
  private var stages: [(end: Int, threshold: Int)] = []

  init(_ cascade: FaceCascade, stride: Int) {
    for stage in cascade.stages {
      for test in stage.tests {
        let feature = cascade.features[test.feature]
        for index in 0..<16 {
          let (row, column) = (index / 4 * feature.height, index % 4 * feature.width)
          places.append((feature.y + row) * stride + feature.x + column)
        }
        patterns += test.patterns
        leaves += [test.clear, test.set]
      }
      stages.append((leaves.count / 2, stage.threshold))
    }
  }

  /// True if all stages pass for the window whose first sum is at index `origin`.
  func pass(_ sums: [UInt32], at origin: Int) -> Bool {
    var test = 0
    for stage in stages {
      var sum = 0
      while test < stage.end {
        let pattern = pattern(sums, origin, test * 16)
        let bit = Int(patterns[test * 8 + pattern >> 5] >> UInt32(pattern & 31) & 1)
        sum += leaves[test * 2 + bit]
        test += 1
      }
      if sum < stage.threshold { return false }
    }
    return true
  }

  /// The local binary pattern of a feature: a bit for each outer block that is at least as bright
  /// as the middle one, clockwise from the upper left, which is the highest bit.
  @inline(__always)
  private func pattern(_ sums: [UInt32], _ origin: Int, _ first: Int) -> Int {
    func at(_ index: Int) -> UInt32 { sums[origin + places[first + index]] }
    let (a, b, c, d) = (at(0), at(1), at(2), at(3))
    let (e, f, g, h) = (at(4), at(5), at(6), at(7))
    let (i, j, k, l) = (at(8), at(9), at(10), at(11))
    let (m, n, o, p) = (at(12), at(13), at(14), at(15))
    func block(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 { a &- b &- c &+ d }
    let middle = block(f, g, j, k)
    var bits = block(a, b, e, f) >= middle ? 128 : 0
    bits |= block(b, c, f, g) >= middle ? 64 : 0
    bits |= block(c, d, g, h) >= middle ? 32 : 0
    bits |= block(g, h, k, l) >= middle ? 16 : 0
    bits |= block(k, l, o, p) >= middle ? 8 : 0
    bits |= block(j, k, n, o) >= middle ? 4 : 0
    bits |= block(i, j, m, n) >= middle ? 2 : 0
    return bits | (block(e, f, i, j) >= middle ? 1 : 0)
  }
}
