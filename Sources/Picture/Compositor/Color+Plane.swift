internal import TesseraPixels

extension Color {
  /// Returns the color's sample for plane 0 (luma), 1 (blue) or 2 (red) of a canvas.
  func sample(plane: Int) -> UInt8 {
    let sample = canvasSample
    return plane == 0 ? sample.luma : plane == 1 ? sample.blue : sample.red
  }
}
