internal import CTesseraPixelKernels

extension Kernels {
  /// Mixes `source` over `destination`: a coverage of c stands for c/256, but 255 for one.
  package func blend(_ source: Row, over destination: MutableRow, coverage: Row) {
    precondition(source.count == destination.count && coverage.count == destination.count)
    unsafe table.blend(destination.base, source.base, coverage.base, destination.count)
  }

  /// Mixes one value over `destination`: a coverage of c stands for c/256, but 255 for one.
  package func blend(_ value: UInt8, over destination: MutableRow, coverage: Row) {
    precondition(coverage.count == destination.count)
    unsafe table.blend_over(destination.base, 0, 1, value, coverage.base, coverage.count)
  }

  /// Mixes one value over every row of `destination`, all by the same coverage.
  package func blend(_ value: UInt8, over destination: MutablePlane, coverage: Row) {
    precondition(coverage.count == destination.size.width)
    unsafe table.blend_over(
      destination.base, destination.stride, destination.size.height, value, coverage.base,
      coverage.count)
  }

  /// Mixes every row of `destination` over one value, all by the same coverage.
  package func blend(_ value: UInt8, under destination: MutablePlane, coverage: Row) {
    precondition(coverage.count == destination.size.width)
    unsafe table.blend_under(
      destination.base, destination.stride, destination.size.height, value, coverage.base,
      coverage.count)
  }

  /// Writes `source` to `destination`.
  package func copy(_ source: Row, to destination: MutableRow) {
    precondition(source.count == destination.count)
    unsafe table.copy(destination.base, 0, source.base, 0, 1, source.count)
  }

  /// Writes `source` to `destination`, which has its size and no sample in common with it.
  package func copy(_ source: Plane, to destination: MutablePlane) {
    precondition(source.size == destination.size)
    unsafe table.copy(
      destination.base, destination.stride, source.base, source.stride, source.size.height,
      source.size.width)
  }

  /// Writes one value to all of `destination`.
  package func fill(_ destination: MutableRow, with value: UInt8) {
    unsafe destination.base.update(repeating: value, count: destination.count)
  }

  /// Writes `source`, transposed, to `destination`: sample (x, y) is the source's (y, x).
  ///
  /// - Precondition: the sizes are each other's transposed.
  package func transpose(_ source: Plane, into destination: MutablePlane) {
    precondition(source.size.transposed == destination.size)
    unsafe table.transpose(
      destination.base, destination.stride, source.base, source.stride, destination.size.width,
      destination.size.height)
  }

  /// Converts luma in place, of which every sample has its own chroma.
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
