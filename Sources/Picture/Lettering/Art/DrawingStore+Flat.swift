package import TesseraPixels

extension DrawingStore {
  /// Flattens all drawings of a group into one picture of the group's size; `nil` if the group is
  /// empty. Drawings missing from the store are skipped.
  package func image(of group: DrawingGroup) -> ColorImage? {
    let size = group.size
    let (width, height) = (size.width, size.height)
    guard width >= 1, height >= 1, !group.items.isEmpty else { return nil }
    var pixels = [UInt8](repeating: 0, count: 4 * size.area)
    for item in group.items {
      guard let drawing = drawing(item.art) else { continue }
      let area = PixelRect(
        x: item.x, y: item.y, width: drawing.size.width, height: drawing.size.height)
      let shown = area.intersection(PixelRect(size))
      for y in shown.y..<shown.maxY {
        for x in shown.x..<shown.maxX {
          let source = (y - item.y) * area.width + x - item.x
          Self.cover(&pixels, 4 * (y * width + x), drawing, source, item.color ?? .black)
        }
      }
    }
    return ColorImage(width: width, height: height, bytes: pixels)
  }

  /// Blends pixel `source` of a drawing over the premultiplied pixel at byte `index`.
  private static func cover(
    _ pixels: inout [UInt8], _ index: Int, _ drawing: RasterDrawing, _ source: Int, _ color: Color
  ) {
    let over: (red: Int, green: Int, blue: Int, alpha: Int)
    switch drawing {
    case .coverage(let coverage):
      let alpha = Int(coverage.bytes[source])
      func share(_ component: UInt8) -> Int { (Int(component) * alpha + 127) / 255 }
      over = (share(color.red), share(color.green), share(color.blue), alpha)
    case .image(let image):
      let bytes = image.bytes
      over = (
        Int(bytes[4 * source]), Int(bytes[4 * source + 1]), Int(bytes[4 * source + 2]),
        Int(bytes[4 * source + 3])
      )
    }
    guard over.alpha > 0 else { return }
    for (offset, value) in [over.red, over.green, over.blue, over.alpha].enumerated() {
      let below = Int(pixels[index + offset])
      pixels[index + offset] = UInt8(min(255, value + (below * (255 - over.alpha) + 127) / 255))
    }
  }
}
