import TestSupport
import Testing

@testable import TesseraPixels

@Suite(.timed) struct ColorConversionTests {
  /// Returns the unrounded Y'CbCr values of an R'G'B' color (0...1).
  private func numbers(_ rgb: (Double, Double, Double), _ space: ColorSpace) -> [Double] {
    let (kr, kb) = (space.matrix.red, space.matrix.blue)
    let y = kr * rgb.0 + (1 - kr - kb) * rgb.1 + kb * rgb.2
    let (cb, cr) = ((rgb.2 - y) / (2 - 2 * kb), (rgb.0 - y) / (2 - 2 * kr))
    return space.range == .limited
      ? [16 + 219 * y, 128 + 224 * cb, 128 + 224 * cr] : [255 * y, 128 + 255 * cb, 128 + 255 * cr]
  }

  /// Returns the conversion of one color.
  private func converted(
    _ color: [UInt8], by conversion: ColorConversion, _ kernels: PixelKernels
  ) -> [UInt8] {
    let size = PixelSize(width: 37, height: 2)
    let luma = Image(.gray8, size: size)
    let blue = Image(.gray8, size: size)
    let red = Image(.gray8, size: size)
    for y in 0..<size.height {
      kernels.fill(luma[plane: 0].row(y, 0..<size.width), with: color[0])
      kernels.fill(blue[plane: 0].row(y, 0..<size.width), with: color[1])
      kernels.fill(red[plane: 0].row(y, 0..<size.width), with: color[2])
    }
    kernels.convert(
      luma: luma[plane: 0], blue: blue[plane: 0].readOnly, red: red[plane: 0].readOnly,
      by: conversion)
    kernels.convert(blue: blue[plane: 0], red: red[plane: 0], by: conversion)
    return [luma[plane: 0][35, 1], blue[plane: 0][35, 1], red[plane: 0][35, 1]]
  }

  @Test(arguments: ColorSpace.Matrix.allCases, [ColorSpace.Range.limited, .full])
  func colorsAreKept(matrix: ColorSpace.Matrix, range: ColorSpace.Range) {
    let space = ColorSpace(matrix: matrix, range: range)
    guard let conversion = ColorConversion(from: space) else {
      #expect(space == .canvas)
      return
    }
    var generator = SplitMix64(seed: 41)
    for kernels in PixelKernels.InstructionSet.available.map(PixelKernels.init) {
      for _ in 0..<200 {
        let rgb = (
          Double.random(in: 0...1, using: &generator), Double.random(in: 0...1, using: &generator),
          Double.random(in: 0...1, using: &generator)
        )
        let source = numbers(rgb, space).map { min(255, $0.rounded()) }
        let result = converted(source.map { UInt8($0) }, by: conversion, kernels)
        // Rounding the source values moves the result by up to 1.2.
        for (plane, wanted) in numbers(rgb, .canvas).enumerated() {
          #expect(abs(Double(result[plane]) - wanted) < 1.8)
        }
      }
    }
  }

  @Test func grayStaysGray() throws {
    let space = ColorSpace(matrix: .bt601, range: .limited)
    let conversion = try #require(ColorConversion(from: space))
    let kernels = PixelKernels(level: .c)
    for value in 16...235 as ClosedRange<UInt8> {
      #expect(converted([value, 128, 128], by: conversion, kernels) == [value, 128, 128])
    }
  }
}
