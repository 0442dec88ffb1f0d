import TestSupport
import Testing

@testable import TesseraPixels

@Suite struct ColorConversionTests {
  /// Y'CbCr numbers of an R'G'B' color (0...1), unrounded.
  private func numbers(_ rgb: (Double, Double, Double), _ space: ColorSpace) -> [Double] {
    let (kr, kb) = (space.matrix.red, space.matrix.blue)
    let y = kr * rgb.0 + (1 - kr - kb) * rgb.1 + kb * rgb.2
    let (cb, cr) = ((rgb.2 - y) / (2 - 2 * kb), (rgb.0 - y) / (2 - 2 * kr))
    return space.range == .limited
      ? [16 + 219 * y, 128 + 224 * cb, 128 + 224 * cr] : [255 * y, 128 + 255 * cb, 128 + 255 * cr]
  }

  @Test(arguments: ColorSpace.Matrix.allCases, [ColorSpace.Range.limited, .full])
  func keepsColors(matrix: ColorSpace.Matrix, range: ColorSpace.Range) {
    let space = ColorSpace(matrix: matrix, range: range)
    guard let conversion = ColorConversion(from: space) else {
      #expect(space == .canvas)
      return
    }
    var generator = SplitMix64(seed: 41)
    for kernels in Kernels.Level.available.map(Kernels.init) {
      for _ in 0..<200 {
        let rgb = (
          Double.random(in: 0...1, using: &generator), Double.random(in: 0...1, using: &generator),
          Double.random(in: 0...1, using: &generator)
        )
        let source = numbers(rgb, space).map { min(255, $0.rounded()) }
        let image = Image(.yuv420p8, size: PixelSize(width: 6, height: 4))
        for plane in 0..<3 {
          for y in 0..<image[plane: plane].size.height {
            kernels.fill(
              image[plane: plane].row(y, 0..<image[plane: plane].size.width),
              with: UInt8(source[plane]))
          }
        }
        kernels.convert(
          luma: image[plane: 0], blue: image[plane: 1], red: image[plane: 2], odd: (0, 0),
          by: conversion)
        // Rounding the source's numbers moves the result by up to 1.2.
        for (plane, wanted) in numbers(rgb, .canvas).enumerated() {
          #expect(abs(Double(image[plane: plane][2, 1]) - wanted) < 1.8)
        }
      }
    }
  }

  @Test func greyStaysGrey() throws {
    let space = ColorSpace(matrix: .bt601, range: .limited)
    let conversion = try #require(ColorConversion(from: space))
    let kernels = Kernels(level: .c)
    for value in 16...235 {
      let image = Image(.yuv420p8, size: PixelSize(width: 2, height: 2))
      for (plane, number) in [value, 128, 128].enumerated() {
        for y in 0..<image[plane: plane].size.height {
          kernels.fill(
            image[plane: plane].row(y, 0..<image[plane: plane].size.width), with: UInt8(number))
        }
      }
      kernels.convert(
        luma: image[plane: 0], blue: image[plane: 1], red: image[plane: 2], odd: (0, 0),
        by: conversion)
      #expect(Int(image[plane: 0][1, 1]) == value)
      #expect(image[plane: 1][0, 0] == 128 && image[plane: 2][0, 0] == 128)
    }
  }
}
