internal import TesseraPixels

/// The small copy of one picture from which a tile's blurred background is enlarged. Its memory is
/// reused for the next picture.
final class BlurSource {
  /// The weight of black, in 1/256, that is blended over the copy.
  private static let dimmed: UInt8 = 88

  let plan: BlurPlan
  private let image: Image
  private let turned: Image
  /// The chroma planes scaled to luma's resolution, for the color conversion.
  private let blueAtLuma: Image
  private let redAtLuma: Image
  /// A row of coverage filled with ``dimmed``.
  private let dimming: Image
  private var identity: UInt64?

  init(_ plan: BlurPlan) {
    self.plan = plan
    image = Image(.yuv420p8, size: plan.size)
    turned = Image(.yuv420p8, size: plan.size.transposed)
    blueAtLuma = Image(.gray8, size: plan.size)
    redAtLuma = Image(.gray8, size: plan.size)
    dimming = Image(.gray8, size: PixelSize(width: plan.size.width, height: 1))
    for x in 0..<plan.size.width { dimming[plane: 0][x, 0] = Self.dimmed }
  }

  /// Returns plane `index` of the copy, valid until the next update.
  func plane(_ index: Int) -> Plane { image[plane: index].readOnly }

  /// Computes the copy of `picture` unless it is up to date.
  func update(
    _ picture: Picture, resampler: inout PlaneResampler, narrow: inout ScratchImage,
    kernels: PixelKernels
  ) {
    guard identity != picture.identity else { return }
    identity = picture.identity
    let turns = plan.shape.orientation.transposes
    for index in 0..<3 {
      let scale = index == 0 ? plan.luma : plan.chroma
      let target = turns ? turned[plane: index] : image[plane: index]
      var source = picture.plane(index).everyRow(plan.rowStep)
      if let narrowing = scale.narrowing {
        narrow.prepare(narrowing.size)
        let rows = narrow.plane(0, narrowing.size)
        resampler.scale(source, by: narrowing, into: rows)
        source = rows.readOnly
      }
      resampler.scale(source, by: scale.shrinking, into: target)
      if turns { kernels.transpose(target.readOnly, into: image[plane: index]) }
    }
    convert(&resampler, kernels)
    dim(kernels)
  }

  private func convert(_ resampler: inout PlaneResampler, _ kernels: PixelKernels) {
    guard let conversion = plan.conversion else { return }
    let (blue, red) = (blueAtLuma[plane: 0], redAtLuma[plane: 0])
    resampler.scale(plane(1), by: conversion.chromaAtLuma, into: blue)
    resampler.scale(plane(2), by: conversion.chromaAtLuma, into: red)
    kernels.convert(
      luma: image[plane: 0], blue: blue.readOnly, red: red.readOnly, by: conversion.colors)
    kernels.convert(blue: image[plane: 1], red: image[plane: 2], by: conversion.colors)
  }

  private func dim(_ kernels: PixelKernels) {
    for index in 0..<3 {
      let plane = image[plane: index]
      kernels.blend(
        Color.black.sample(plane: index), over: plane,
        coverage: dimming[plane: 0].readOnly.row(0, 0..<plane.size.width))
    }
  }
}

/// The small copies of the pictures that items show, indexed by item and layer.
struct BlurSources: ~Copyable {
  private let kernels: PixelKernels
  private var resampler: PlaneResampler
  private var narrow = ScratchImage()
  private var copies: [BlurSource?] = []

  init(kernels: PixelKernels) {
    self.kernels = kernels
    self.resampler = PlaneResampler(kernels: kernels)
  }

  /// Returns the copy of `picture`, shown in layer `layer` (0 or 1) of `item`.
  mutating func copy(of picture: Picture, item: Int, layer: Int, plan: BlurPlan) -> BlurSource {
    let slot = 2 * item + layer
    while copies.count <= slot { copies.append(nil) }
    let copy: BlurSource
    if let present = copies[slot], present.plan.shape == plan.shape {
      copy = present
    } else {
      copy = BlurSource(plan)
      copies[slot] = copy
    }
    copy.update(picture, resampler: &resampler, narrow: &narrow, kernels: kernels)
    return copy
  }
}
