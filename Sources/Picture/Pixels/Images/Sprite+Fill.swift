extension Sprite {
  /// Creates an opaque sprite of `size` filled with `color`.
  package convenience init(filled color: Color, size: PixelSize) {
    let sample = color.canvasSample
    let chroma = InlineArray<8, Image> { index in
      Image(
        filled: index >= 4 ? sample.red : sample.blue,
        size: Self.chromaSize(size, oddX: index & 1, oddY: index >> 1 & 1))
    }
    self.init(
      luma: Image(filled: sample.luma, size: size), chroma: chroma,
      coverage: Image(filled: 255, size: size))
  }
}

extension Image {
  /// Creates a single-plane image of `size` filled with `value`.
  fileprivate init(filled value: UInt8, size: PixelSize) {
    self.init(.gray8, size: size)
    let plane = self[plane: 0]
    for y in 0..<size.height {
      for x in 0..<size.width { plane[x, y] = value }
    }
  }
}
