/// Where the samples of one axis of a result lie in the source: result i at `origin + step * i`,
/// counted in source samples, 0 being the center of the first one.
struct AxisMapping: Hashable, Sendable {
  /// The number of source samples.
  var sourceCount: Int
  /// The number of result samples.
  var count: Int
  /// The position of the first result sample, in the source as it is read (see `mirrored`).
  var origin: Double
  /// The distance of two result samples, above 0.
  var step: Double
  /// Whether the source is read from its last sample to its first.
  var mirrored: Bool

  /// Where on an axis the samples of a plane lie.
  enum Siting {
    /// One sample a pixel.
    case luma
    /// One sample for two pixels, at the first one's center.
    case chromaFirst
    /// One sample for two pixels, between them.
    case chromaBetween
    /// One sample for two pixels, at the second one's center.
    case chromaSecond

    /// Pixels from one sample to the next.
    var pitch: Double { self == .luma ? 1 : 2 }
    /// Pixels from the picture's edge to the first sample.
    var offset: Double {
      switch self {
      case .luma, .chromaFirst: 0.5
      case .chromaBetween: 1
      case .chromaSecond: 1.5
      }
    }

    /// The number of samples that cover that many pixels.
    func samples(_ pixels: Int) -> Int { self == .luma ? pixels : (pixels + 1) / 2 }
  }

  /// One axis of a picture and where it is drawn.
  struct Pixels: Hashable, Sendable {
    /// The number of source pixels.
    var source: Int
    /// The part of the source that fills the destination, 0...1, in displayed direction.
    var crop: (start: Double, length: Double) { (cropStart, cropLength) }
    /// The first of that part.
    var cropStart: Double
    /// Its length.
    var cropLength: Double
    /// The first canvas pixel of the destination, may be fractional.
    var destinationStart: Double
    /// The length of the destination in canvas pixels.
    var destinationLength: Double
    /// Whether the displayed direction is opposite to the coded one.
    var mirrored: Bool
  }

  /// The mapping of result samples `first ..< first + count` of the canvas.
  init(_ axis: Pixels, first: Int, count: Int, source: Siting, canvas: Siting) {
    let scale = axis.cropLength * Double(axis.source) / axis.destinationLength
    let start = canvas.pitch * Double(first) + canvas.offset - axis.destinationStart
    let position = axis.cropStart * Double(axis.source) + scale * start
    self.sourceCount = source.samples(axis.source)
    self.count = count
    self.step = scale * canvas.pitch / source.pitch
    self.mirrored = axis.mirrored
    // Read backwards, the last sample comes first: mirror the siting's offset as well.
    let extent = Double(sourceCount - 1) * source.pitch + source.offset
    self.origin =
      axis.mirrored
      ? (position - (Double(axis.source) - extent)) / source.pitch
      : (position - source.offset) / source.pitch
  }
}
