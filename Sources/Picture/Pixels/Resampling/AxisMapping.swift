/// The mapping of result samples to source positions along one axis. Result i is at `origin + step
/// * i` in source samples, with 0 at the center of the first one.
struct AxisMapping: Hashable, Sendable {
  /// The number of source samples.
  var sourceCount: Int
  /// The number of result samples.
  var count: Int
  /// The source position of the first result sample, in reading direction (see `mirrored`).
  var origin: Double
  /// The distance between two result samples in source samples, above 0.
  var step: Double
  /// True if the source is read from its last sample to its first.
  var mirrored: Bool

  /// The position of a plane's samples along one axis, relative to pixels.
  enum Siting {
    /// One sample per pixel.
    case luma
    /// One sample per two pixels, at the first one's center.
    case chromaFirst
    /// One sample per two pixels, between them.
    case chromaBetween
    /// One sample per two pixels, at the second one's center.
    case chromaSecond

    /// The distance between samples in pixels.
    var pitch: Double { self == .luma ? 1 : 2 }
    /// The distance from the picture's edge to the first sample in pixels.
    var offset: Double {
      switch self {
      case .luma, .chromaFirst: 0.5
      case .chromaBetween: 1
      case .chromaSecond: 1.5
      }
    }

    /// Returns the number of samples for a length in pixels.
    func samples(_ pixels: Int) -> Int { self == .luma ? pixels : (pixels + 1) / 2 }
  }

  /// One axis of a picture and its destination.
  struct PixelAxis: Hashable, Sendable {
    /// The number of source pixels.
    var source: Int
    /// The start of the crop, `0...1`.
    var cropStart: Double
    /// The length of the crop, `0...1`.
    var cropLength: Double
    /// The first canvas pixel of the destination; may be fractional.
    var destinationStart: Double
    /// The length of the destination in canvas pixels.
    var destinationLength: Double
    /// True if the display direction is opposite to the coded one.
    var mirrored: Bool
  }

  /// Creates the mapping of the canvas's samples `first ..< first + count`.
  init(_ axis: PixelAxis, first: Int, count: Int, source: Siting, canvas: Siting) {
    let scale = axis.cropLength * Double(axis.source) / axis.destinationLength
    let start = canvas.pitch * Double(first) + canvas.offset - axis.destinationStart
    let position = axis.cropStart * Double(axis.source) + scale * start
    self.sourceCount = source.samples(axis.source)
    self.count = count
    self.step = scale * canvas.pitch / source.pitch
    self.mirrored = axis.mirrored
    // Read backwards, the last sample comes first, so the siting's offset is mirrored as well.
    let extent = Double(sourceCount - 1) * source.pitch + source.offset
    self.origin =
      axis.mirrored
      ? (position - (Double(axis.source) - extent)) / source.pitch
      : (position - source.offset) / source.pitch
  }
}
