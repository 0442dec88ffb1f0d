internal import CTesseraPixelKernels

extension PixelKernels {
  /// Blends `source` over `destination`. A coverage of c means c/256, except that 255 means 1.
  package func blend(_ source: Row, over destination: MutableRow, coverage: Row) {
    precondition(source.count == destination.count && coverage.count == destination.count)
    unsafe table.blend(destination.base, source.base, coverage.base, destination.count)
  }

  /// Blends `value` over `destination`. A coverage of c means c/256, except that 255 means 1.
  package func blend(_ value: UInt8, over destination: MutableRow, coverage: Row) {
    precondition(coverage.count == destination.count)
    unsafe table.blend_over(destination.base, 0, 1, value, coverage.base, coverage.count)
  }

  /// Blends `value` over every row of `destination`, with one row of coverage for all.
  package func blend(_ value: UInt8, over destination: MutablePlane, coverage: Row) {
    precondition(coverage.count == destination.size.width)
    unsafe table.blend_over(
      destination.base, destination.stride, destination.size.height, value, coverage.base,
      coverage.count)
  }

  /// Blends every row of `destination` over `value`, with one row of coverage for all.
  package func blend(_ value: UInt8, under destination: MutablePlane, coverage: Row) {
    precondition(coverage.count == destination.size.width)
    unsafe table.blend_under(
      destination.base, destination.stride, destination.size.height, value, coverage.base,
      coverage.count)
  }

  package func copy(_ source: Row, to destination: MutableRow) {
    precondition(source.count == destination.count)
    unsafe table.copy(destination.base, 0, source.base, 0, 1, source.count)
  }

  /// Copies `source` to `destination`, which must have the same size and must not overlap it.
  package func copy(_ source: Plane, to destination: MutablePlane) {
    precondition(source.size == destination.size)
    unsafe table.copy(
      destination.base, destination.stride, source.base, source.stride, source.size.height,
      source.size.width)
  }

  package func fill(_ destination: MutableRow, with value: UInt8) {
    unsafe destination.base.update(repeating: value, count: destination.count)
  }

  /// Writes `source`, transposed, to `destination`: sample (x, y) is the source's (y, x).
  ///
  /// - Precondition: `destination` has the transposed size of `source`.
  package func transpose(_ source: Plane, into destination: MutablePlane) {
    precondition(source.size.transposed == destination.size)
    unsafe table.transpose(
      destination.base, destination.stride, source.base, source.stride, destination.size.width,
      destination.size.height)
  }

  /// Converts luma in place. `blue` and `red` have a sample for every luma sample.
  package func convert(luma: MutablePlane, blue: Plane, red: Plane, by conversion: ColorConversion)
  {
    precondition(blue.size == luma.size && red.size == luma.size)
    var matrix = conversion.matrix
    for y in 0..<luma.size.height {
      unsafe table.convert_luma(
        luma.base + y * luma.stride, blue.base + y * blue.stride, red.base + y * red.stride,
        &matrix, luma.size.width)
    }
  }

  /// Converts chroma in place.
  package func convert(blue: MutablePlane, red: MutablePlane, by conversion: ColorConversion) {
    precondition(blue.size == red.size)
    var matrix = conversion.matrix
    for y in 0..<blue.size.height {
      unsafe table.convert_chroma(
        blue.base + y * blue.stride, red.base + y * red.stride, &matrix, blue.size.width)
    }
  }
}
