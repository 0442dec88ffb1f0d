internal import TesseraPixels

extension Color {
  /// The color's sample in plane 0 (luma), 1 (blue) or 2 (red) of a canvas.
  func sample(plane: Int) -> UInt8 {
    let sample = canvasSample
    return plane == 0 ? sample.luma : plane == 1 ? sample.blue : sample.red
  }
}
