internal import CTesseraPixelKernels
internal import Glibc
internal import Synchronization

/// A three-dimensional lookup table that converts ten-bit Y'CbCr of high dynamic range or wide
/// primaries to the canvas's colors.
///
/// The table has 65³ nodes and is interpolated. It is computed once in double precision and stores
/// results in units of 1/64; using it is integer arithmetic. With nodes 32 samples apart, saturated
/// colors of the perceptual quantizer were off by five units of CIE 1976; with these (16 apart) by
/// less than two.
@safe package final class ColorConversionTable: @unchecked Sendable {
  /// The number of nodes along each axis; the nodes are 16 samples apart.
  private static let side = Int(TPK_CUBE_NODES)

  /// The nodes for luma, blue and red, one table after the other.
  private let nodes: UnsafeMutablePointer<Int16>

  /// Returns the table for pictures of `color` and `light`. The process has one of each, never
  /// freed.
  package static func of(color: ColorSpace, light: Colorimetry) -> ColorConversionTable {
    let key = Key(color: color, light: light)
    return made.withLock { made in
      if let table = made[key] { return table }
      let table = ColorConversionTable(color: color, light: light)
      made[key] = table
      return table
    }
  }

  private struct Key: Hashable {
    var color: ColorSpace
    var light: Colorimetry
  }

  private static let made = Mutex<[Key: ColorConversionTable]>([:])

  init(color: ColorSpace, light: Colorimetry) {
    let count = Self.side * Self.side * Self.side
    // Vector kernels read two nodes at a time, so there are two more at the end.
    unsafe nodes = .allocate(capacity: 3 * count + 2)
    unsafe nodes.initialize(repeating: 0, count: 3 * count + 2)
    var index = 0
    for red in 0..<Self.side {
      for blue in 0..<Self.side {
        for luma in 0..<Self.side {
          let signal = Self.signal(16 * luma, 16 * blue, 16 * red, color)
          let weights = SIMD3(
            color.matrix.red, 1 - color.matrix.red - color.matrix.blue, color.matrix.blue)
          let result = Self.canvasNumbers(light.canvasLight(signal, weights: weights))
          for plane in 0..<3 { unsafe nodes[plane * count + index] = result[plane] }
          index += 1
        }
      }
    }
  }

  deinit { unsafe nodes.deallocate() }

  /// Returns the nodes of plane 0 (luma), 1 (blue) or 2 (red).
  func nodes(plane index: Int) -> UnsafePointer<Int16> {
    unsafe UnsafePointer(nodes + index * Self.side * Self.side * Self.side)
  }

  /// Returns the R'G'B' of ten-bit samples, in `0...1` if they represent a valid color.
  private static func signal(
    _ luma: Int, _ blue: Int, _ red: Int, _ color: ColorSpace
  ) -> SIMD3<Double> {
    let isLimited = color.range == .limited
    let y = isLimited ? Double(luma - 64) / 876 : Double(luma) / 1023
    let cb = Double(blue - 512) / (isLimited ? 896 : 1023)
    let cr = Double(red - 512) / (isLimited ? 896 : 1023)
    let (kr, kb) = (color.matrix.red, color.matrix.blue)
    let r = y + 2 * (1 - kr) * cr
    let b = y + 2 * (1 - kb) * cb
    return SIMD3(r, (y - kr * r - kb * b) / (1 - kr - kb), b)
  }

  /// Returns the canvas samples, in 1/64, of linear light in `0...1`.
  private static func canvasNumbers(_ light: SIMD3<Double>) -> SIMD3<Int16> {
    let (kr, kb) = (ColorSpace.canvas.matrix.red, ColorSpace.canvas.matrix.blue)
    func signal(_ light: Double) -> Double {
      light < 0 ? -pow(-light, 1 / 2.4) : pow(light, 1 / 2.4)
    }
    let (r, g, b) = (signal(light.x), signal(light.y), signal(light.z))
    let y = kr * r + (1 - kr - kb) * g + kb * b
    func fixed(_ value: Double) -> Int16 { Int16((64 * max(0, min(255, value))).rounded()) }
    return SIMD3(
      fixed(16 + 219 * y), fixed(128 + 224 * (b - y) / (2 * (1 - kb))),
      fixed(128 + 224 * (r - y) / (2 * (1 - kr))))
  }
}

extension PixelKernels {
  /// Converts a ten-bit 4:2:0 picture with chroma sited at the left to eight bits in the canvas's
  /// colors.
  ///
  /// - Precondition: The planes have the size of the picture and of its chroma.
  package func map(
    _ picture: TenBitPicture, by table: ColorConversionTable, luma: MutablePlane,
    blue: MutablePlane,
    red: MutablePlane
  ) {
    let (size, chroma) = (picture.size, picture.size.chroma)
    precondition(luma.size == size && blue.size == chroma && red.size == chroma)
    for y in 0..<size.height {
      // A luma row is a quarter of a chroma row from the nearest chroma row.
      let near = y / 2
      let far = min(max(0, y.isMultiple(of: 2) ? near - 1 : near + 1), chroma.height - 1)
      let rows =
        unsafe [
          picture.row(1, near), picture.row(2, near), picture.row(1, far), picture.row(2, far),
        ] as InlineArray<4, UnsafePointer<UInt16>?>
      unsafe rows.span.withUnsafeBufferPointer { rows in
        let base = unsafe rows.baseAddress.unsafelyUnwrapped
        unsafe self.table.cube_luma(
          luma.base + y * luma.stride, picture.row(0, y), base, base + 2, table.nodes(plane: 0),
          chroma.width, size.width)
      }
    }
    for y in 0..<chroma.height {
      let rows =
        unsafe [
          picture.row(0, 2 * y), picture.row(0, min(2 * y + 1, size.height - 1)),
        ] as InlineArray<2, UnsafePointer<UInt16>?>
      unsafe rows.span.withUnsafeBufferPointer { rows in
        for (index, plane) in [(1, blue), (2, red)] {
          unsafe self.table.cube_chroma(
            plane.base + y * plane.stride, rows.baseAddress, picture.row(1, y), picture.row(2, y),
            table.nodes(plane: index), chroma.width)
        }
      }
    }
  }
}

/// A view of a ten-bit 4:2:0 picture: three planes of 16-bit samples. It owns no memory.
@safe package struct TenBitPicture {
  /// The picture's size in luma samples.
  package let size: PixelSize
  private let planes: InlineArray<3, UnsafePointer<UInt16>>
  private let strides: InlineArray<3, Int>

  /// Creates a view of `planes`, whose rows are `strides` bytes apart. Strides must be even and at
  /// least a row's bytes. The caller keeps ownership of the memory.
  @unsafe package init(
    size: PixelSize, planes: InlineArray<3, UnsafePointer<UInt16>>, strides: InlineArray<3, Int>
  ) {
    precondition(size.width >= 1 && size.height >= 1)
    for index in 0..<3 {
      let width = index == 0 ? size.width : size.chroma.width
      precondition(strides[index] >= 2 * width && strides[index].isMultiple(of: 2))
    }
    self.size = size
    unsafe self.planes = planes
    self.strides = strides
  }

  func row(_ plane: Int, _ y: Int) -> UnsafePointer<UInt16> {
    unsafe planes[plane] + y * (strides[plane] / 2)
  }
}
