@testable import TesseraPixels

extension PictureScalePlan.Geometry {
  /// Returns the geometry of a whole picture, drawn at the origin of the canvas.
  static func whole(
    _ source: PixelSize, to target: PixelSize, filter: ResampleFilter = .bicubic,
    orientation: Orientation = .upright, chroma: ChromaSiting = .left
  ) -> PictureScalePlan.Geometry {
    PictureScalePlan.Geometry(
      source: source, orientation: orientation,
      crop: PictureScalePlan.FractionalRect(x: 0, y: 0, width: 1, height: 1),
      destination: PictureScalePlan.FractionalRect(
        x: 0, y: 0, width: Double(target.width), height: Double(target.height)),
      area: PixelRect(target), filter: filter, chroma: chroma)
  }

  /// Returns the geometry without the first pixels of either axis.
  func cropped(x: Int, y: Int) -> PictureScalePlan.Geometry {
    let (left, top) = (Double(x) / Double(source.width), Double(y) / Double(source.height))
    var geometry = self
    geometry.crop = PictureScalePlan.FractionalRect(
      x: left, y: top, width: 1 - left, height: 1 - top)
    return geometry
  }
}

extension Picture {
  /// Returns the scaled luma of the picture.
  func scaledLuma(_ plan: PictureScalePlan, kernels: PixelKernels) -> Samples {
    withExtendedLifetime(self) { plan.luma.scale(luma, kernels: kernels) }
  }

  /// Returns the scaled blue-difference plane of the picture.
  func scaledBlue(_ plan: PictureScalePlan, kernels: PixelKernels) -> Samples {
    withExtendedLifetime(self) { plan.chroma.scale(blue, kernels: kernels) }
  }
}

extension PlaneScalePlan {
  /// Scales `source`, completely or some of its columns and rows.
  func scale(
    _ source: Plane, kernels: PixelKernels, columns: Range<Int>? = nil, rows: Range<Int>? = nil
  ) -> Samples {
    let columns = columns ?? 0..<size.width
    let rows = rows ?? 0..<size.height
    var resampler = PlaneResampler(kernels: kernels)
    let image = Image(.gray8, size: PixelSize(width: columns.count, height: rows.count))
    let target = image[plane: 0]
    resampler.begin(self, source: source, columns: columns)
    resampler.rows(rows, into: target)
    return Samples(target.readOnly)
  }
}

/// Scales all samples of `source` as luma.
func scaled(
  _ source: Samples, to width: Int, _ height: Int, filter: ResampleFilter = .bicubic,
  orientation: Orientation = .upright, kernels: PixelKernels = PixelKernels()
) -> Samples {
  let picture = source.picture()
  let plan = PictureScalePlan(
    .whole(
      source.size, to: PixelSize(width: width, height: height), filter: filter,
      orientation: orientation), kernels: kernels)
  return picture.scaledLuma(plan, kernels: kernels)
}
