internal import TesseraPixels

/// Computes the samples of a tile's content row by row, directly in their destination.
///
/// A picture that must be transposed or converted to the canvas's colors first goes through an
/// image of the tile's size. There a row depends on columns or on other planes.
struct TileContentRows: ~Copyable {
  private enum Source {
    case value
    case resampler
    case prepared
  }

  private let kernels: PixelKernels
  private var resampler: PlaneResampler
  /// The scalers of the blurred copy: `softBefore` for the columns left of the picture or for all,
  /// `softAfter` for those right of it.
  private var softBefore: BlurRows
  private var softAfter: BlurRows
  /// The blurred copy around the picture; `nil` if the picture covers everything.
  private var soft: BlurSource?
  private var upright = ScratchImage()
  private var turned = ScratchImage()
  /// The chroma planes scaled to luma's resolution, for the color conversion.
  private var blueAtLuma = ScratchImage()
  private var redAtLuma = ScratchImage()
  private var source = Source.value
  /// The luma pixels stored in `upright`.
  private var prepared = PixelRect.empty
  private var value: UInt8 = 0
  /// The canvas position of the rows' first sample, in samples of the plane.
  private var origin: (x: Int, y: Int) = (0, 0)
  /// True if the blurred copy is visible only left and right of the picture.
  private var isBetween = false
  /// The samples of the plane that the picture itself covers.
  private var inner = PixelRect.empty

  init(kernels: PixelKernels) {
    self.kernels = kernels
    self.resampler = PlaneResampler(kernels: kernels)
    self.softBefore = BlurRows(kernels: kernels)
    self.softAfter = BlurRows(kernels: kernels)
  }

  /// Starts computing rows of `content` by `plan`. Only pixels of `needed` will be requested.
  /// `soft` is the picture's blurred copy, if the plan requires one.
  mutating func begin(
    _ content: TileLayer, _ plan: TilePlan, soft: BlurSource?, needed: PixelRect
  ) {
    self.soft = soft
    guard let picture = content.picture else {
      source = .value
      return
    }
    guard plan.transposes || plan.conversion != nil else {
      source = .resampler
      return
    }
    source = .prepared
    prepare(picture, plan, needed: needed)
  }

  /// Starts computing the rows and columns `area` of plane `index`.
  mutating func begin(
    _ content: TileLayer, _ plan: TilePlan, plane index: Int, area: PixelRect
  ) {
    let plane = plan.planes[index]
    inner = plane.inner
    if let soft, let resample = plane.soft {
      // A picture as high as the tile leaves columns free, any other leaves rows free.
      isBetween = inner.rows.contains(plane.visible.rows) && !inner.isEmpty
      let before =
        isBetween ? area.columns.clamped(to: area.x..<max(area.x, inner.x)) : area.columns
      let after = area.columns.clamped(to: inner.maxX..<max(inner.maxX, area.maxX))
      softBefore.begin(
        resample, source: soft.plane(index), columns: before, visible: plane.visible)
      softAfter.begin(
        resample, source: soft.plane(index), columns: isBetween ? after : 0..<0,
        visible: plane.visible)
    }
    switch source {
    case .value:
      value = content.color?.sample(plane: index) ?? 0
    case .resampler:
      let sharp = area.columns.clamped(to: inner.columns)
      guard let picture = content.picture, let resample = plane.resample, !sharp.isEmpty else {
        return
      }
      origin = (inner.x, inner.y)
      resampler.begin(
        resample, source: picture.plane(index),
        columns: sharp.lowerBound - origin.x..<sharp.upperBound - origin.x)
    case .prepared:
      let held = index == 0 ? prepared : prepared.chroma
      origin = (held.x, held.y)
    }
  }

  /// Computes the samples of `area` of the canvas's plane `index`. `area` must have all columns of
  /// the current start.
  mutating func rows(_ area: PixelRect, plane index: Int, into destination: MutablePlane) {
    guard soft != nil else { return sharpRows(area, plane: index, into: destination) }
    let sharp = area.intersection(inner)
    // The parts above the picture, beside it and below it.
    let cuts = sharp.isEmpty ? (area.maxY, area.maxY) : (sharp.y, sharp.maxY)
    softRows(area.y..<cuts.0, area, into: destination)
    if isBetween || sharp.width < area.width {
      softRows(cuts.0..<cuts.1, area, into: destination)
    }
    if !sharp.isEmpty {
      sharpRows(
        sharp, plane: index, into: destination.cropped(to: sharp.moved(by: -area.x, -area.y)))
    }
    softRows(cuts.1..<area.maxY, area, into: destination)
  }

  /// Computes `rows` of the blurred copy in `destination`, which is at `area` of the canvas.
  private mutating func softRows(
    _ rows: Range<Int>, _ area: PixelRect, into destination: MutablePlane
  ) {
    softBefore.rows(rows, into: destination, at: (area.x, area.y))
    softAfter.rows(rows, into: destination, at: (area.x, area.y))
  }

  /// Computes the samples of `area`, which the content itself covers.
  private mutating func sharpRows(
    _ area: PixelRect, plane index: Int, into destination: MutablePlane
  ) {
    switch source {
    case .value:
      for y in 0..<area.height {
        kernels.fill(destination.row(y, 0..<area.width), with: value)
      }
    case .resampler:
      let first = area.y - origin.y
      resampler.rows(first..<first + area.height, into: destination)
    case .prepared:
      let size = index == 0 ? prepared.size : prepared.chroma.size
      let held = upright.plane(index, size).readOnly
      let columns = area.moved(by: -origin.x, 0).columns
      for y in 0..<area.height {
        kernels.copy(
          held.row(area.y + y - origin.y, columns), to: destination.row(y, 0..<area.width))
      }
    }
  }

  /// Scales, transposes and converts the part of the picture around `needed`.
  private mutating func prepare(
    _ picture: Picture, _ plan: TilePlan, needed: PixelRect
  ) {
    prepared = needed.intersection(plan.planes.luma.inner)
    guard !prepared.isEmpty else { return }
    // A rectangle with odd edges touches more chroma samples than its size alone indicates.
    let room = PixelSize(
      width: 2 * prepared.chroma.width, height: 2 * prepared.chroma.height)
    upright.prepare(room)
    if plan.transposes { turned.prepare(room.transposed) }
    let inner = plan.planes.luma.inner
    for index in 0..<3 {
      guard let resample = plan.planes[index].resample else { continue }
      let part = index == 0 ? prepared : prepared.chroma
      let first = plan.planes[index].inner
      scale(
        picture.plane(index), by: resample, part.moved(by: -first.x, -first.y), plan,
        into: upright.plane(index, part.size))
    }
    guard let conversion = plan.conversion else { return }
    blueAtLuma.prepare(room)
    redAtLuma.prepare(room)
    let (blue, red) = (blueAtLuma.plane(0, prepared.size), redAtLuma.plane(0, prepared.size))
    let part = prepared.moved(by: -inner.x, -inner.y)
    scale(picture.blue, by: conversion.chromaAtLuma, part, plan, into: blue)
    scale(picture.red, by: conversion.chromaAtLuma, part, plan, into: red)
    kernels.convert(
      luma: upright.plane(0, prepared.size), blue: blue.readOnly, red: red.readOnly,
      by: conversion.colors)
    let chroma = prepared.chroma.size
    kernels.convert(
      blue: upright.plane(1, chroma), red: upright.plane(2, chroma), by: conversion.colors)
  }

  /// Scales `part` of one plane's result and transposes it if the plan requires that.
  private mutating func scale(
    _ source: Plane, by resample: PlaneScalePlan, _ part: PixelRect, _ plan: TilePlan,
    into destination: MutablePlane
  ) {
    let columns = plan.transposes ? part.rows : part.columns
    let rows = plan.transposes ? part.columns : part.rows
    let scaled = plan.transposes ? turned.plane(0, part.size.transposed) : destination
    resampler.begin(resample, source: source, columns: columns)
    resampler.rows(rows, into: scaled)
    if plan.transposes { kernels.transpose(scaled.readOnly, into: destination) }
  }
}

extension Picture {
  /// Returns plane 0 (luma), 1 (blue) or 2 (red).
  func plane(_ index: Int) -> Plane {
    index == 0 ? luma : index == 1 ? blue : red
  }
}
