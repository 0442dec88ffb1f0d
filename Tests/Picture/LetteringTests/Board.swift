import Foundation
import TesseraPixels
import TestSupport

@testable import TesseraLettering

/// An RGB picture onto which drawings are blended like in the compositor, for measurements and for
/// viewing.
struct Board {
  let size: PixelSize
  private(set) var pixels: [UInt8]

  init(_ size: PixelSize, _ color: Color = .black) {
    self.size = size
    pixels = (0..<size.area).flatMap { _ in [color.red, color.green, color.blue] }
  }

  /// Creates a board of noise.
  init(_ size: PixelSize, noise: inout SplitMix64) {
    self.size = size
    pixels = (0..<3 * size.area).map { _ in UInt8.random(in: 0...255, using: &noise) }
  }

  subscript(x: Int, y: Int) -> Color {
    get {
      let index = 3 * (y * size.width + x)
      return Color(red: pixels[index], green: pixels[index + 1], blue: pixels[index + 2])
    }
    set {
      let index = 3 * (y * size.width + x)
      (pixels[index], pixels[index + 1], pixels[index + 2]) = (
        newValue.red, newValue.green, newValue.blue
      )
    }
  }

  /// Fills `area`, except for round corners.
  mutating func fill(_ area: PixelRect, radius: Double = 0, _ paint: (_ x: Int, _ y: Int) -> Color)
  {
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        let dx = max(
          Double(area.x) + radius - Double(x) - 0.5, Double(x) + 0.5 - Double(area.maxX) + radius, 0
        )
        let dy = max(
          Double(area.y) + radius - Double(y) - 0.5, Double(y) + 0.5 - Double(area.maxY) + radius, 0
        )
        let coverage = max(0, min(1, radius + 0.5 - (dx * dx + dy * dy).squareRoot()))
        if radius == 0 || coverage > 0 {
          self[x, y] = self[x, y].mixed(
            with: paint(x - area.x, y - area.y), share: radius == 0 ? 1 : coverage)
        }
      }
    }
  }

  /// Draws `group` into the tile at `area`, clipped to the board.
  mutating func draw(_ group: DrawingGroup?, in area: PixelRect, _ store: DrawingStore) {
    for item in group?.placed(in: area.size) ?? [] {
      let (left, top) = (item.x + area.x, item.y + area.y)
      let image = store.image(item.art)
      let mask = store.mask(item.art)
      for y in 0..<item.size.height where top + y >= 0 && top + y < size.height {
        for x in 0..<item.size.width where left + x >= 0 && left + x < size.width {
          let below = self[left + x, top + y]
          if let mask, let color = item.color {
            let coverage = Double(mask.bytes[y * mask.size.width + x]) / 255
            self[left + x, top + y] = below.mixed(with: color, share: coverage)
          } else if let image {
            let index = 4 * (y * item.size.width + x)
            let rest = 255 - Int(image.bytes[index + 3])
            func over(_ value: UInt8, _ offset: Int) -> UInt8 {
              UInt8(min(255, Int(image.bytes[index + offset]) + (Int(value) * rest + 127) / 255))
            }
            self[left + x, top + y] = Color(
              red: over(below.red, 0), green: over(below.green, 1), blue: over(below.blue, 2))
          }
        }
      }
    }
  }

  /// Writes the board as a PNG file.
  func write(to path: String) throws {
    let folder = try TemporaryFolder()
    let raw = folder.path("rgb")
    try Data(pixels).write(to: URL(fileURLWithPath: raw))
    try Tool.ffmpeg([
      "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "\(size.width)x\(size.height)", "-i", raw, path,
    ])
  }
}

extension DrawingGroup {
  /// Returns the drawings with positions relative to a tile or canvas of size `area`.
  func placed(in area: PixelSize) -> [Item] {
    let origin = origin(in: area)
    return items.map { item in
      var item = item
      item.x += origin.x
      item.y += origin.y
      return item
    }
  }
}

extension DrawingStore {
  /// Returns the coverage `id`; `nil` if the store has no such mask.
  func mask(_ id: DrawingID) -> PixelCoverage? {
    guard case .coverage(let coverage) = drawing(id) else { return nil }
    return coverage
  }

  /// Returns the picture `id`; `nil` if the store has no such picture.
  func image(_ id: DrawingID) -> ColorImage? {
    guard case .image(let image) = drawing(id) else { return nil }
    return image
  }
}
