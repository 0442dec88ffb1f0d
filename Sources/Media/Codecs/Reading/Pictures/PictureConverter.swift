import CTesseraFFmpeg
import TesseraPixels

/// Converts decoded frames to ``Picture`` values. Planar 8-bit 4:2:0 is used as is; libswscale
/// converts other formats to it, with unchanged matrix and range. A lookup table maps high dynamic
/// range and wide gamut to the canvas's colors. Transparent pictures are composited over the
/// background.
@safe struct PictureConverter: ~Copyable {
  /// The cache key of the scaler.
  private struct FormatKey: Equatable {
    var size: PixelSize
    var source: AVPixelFormat
    var result: AVPixelFormat
  }

  /// The cache key of the color table.
  private struct ColorTableKey: Equatable {
    var color: ColorSpace
    var light: Colorimetry
  }

  private var scaler: Scaler?
  private var formats: FormatKey?
  private var table: (colors: ColorTableKey, table: ColorConversionTable)?
  private let kernels = PixelKernels()
  private let stream: StreamInfo.Video
  private let background: Color
  private let path: String

  init(stream: StreamInfo.Video, background: Color = .black, path: String) {
    self.stream = stream
    self.background = background
    self.path = path
  }

  private static let planar420 = [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P]

  /// Converts `frame` and takes over its content.
  ///
  /// - Throws: ``FFmpegError`` if the picture exceeds the size limits, or if memory runs out.
  mutating func picture(from frame: borrowing Frame) throws(FFmpegError) -> Picture {
    let size = frame.size
    guard size.width <= Demuxer.longestSide, size.height <= Demuxer.longestSide,
      size.width > 0, size.height > 0, size.width * size.height <= Demuxer.largestPicture
    else {
      throw FFmpegError(
        code: CFF_ERROR_PATCH_WELCOME,
        operation: "use a picture of \(size.width)x\(size.height) pixels", path: path)
    }
    var color = Self.color(frame, stream)
    let (orientation, ratio) = (
      stream.orientation == .upright ? frame.orientation ?? .upright : stream.orientation,
      sampleAspectRatio(of: frame)
    )
    let siting = Self.chromaSiting(frame)
    let light = Self.light(frame, stream)
    if light != .canvas, !Self.isRGB(frame.pixelFormat) {
      let memory = FrameOwner(try mapped(frame, ColorTableKey(color: color, light: light)))
      return memory.picture(
        color: .canvas, orientation: orientation, sampleAspectRatio: ratio,
        chromaSiting: siting)
    }
    let isPlanar = Self.planar420.contains(frame.pixelFormat) && frame.hasForwardRows
    if !isPlanar, Self.isRGB(frame.pixelFormat) { color = .canvas }
    let planar: Frame
    if Self.hasAlpha(frame.pixelFormat) {
      let blend = AlphaCompositor(over: background, color: color)
      planar =
        frame.pixelFormat == AV_PIX_FMT_YUVA420P && frame.hasForwardRows
        ? try blend.blended(frame)
        : try blend.blended(try converted(frame, color: color, to: AV_PIX_FMT_YUVA420P))
    } else {
      planar = isPlanar ? try frame.move() : try converted(frame, color: color)
    }
    return FrameOwner(planar).picture(
      color: color, orientation: orientation, sampleAspectRatio: ratio, chromaSiting: siting)
  }

  private func sampleAspectRatio(of frame: borrowing Frame) -> SampleAspectRatio {
    let ratio = unsafe frame.raw.pointee.sample_aspect_ratio
    guard !stream.hasOwnAspectRatio, ratio.num > 0 else { return stream.sampleAspectRatio }
    return SampleAspectRatio(ratio)
  }

  /// Returns the color space from the picture's tags, with the stream's as the fallback.
  static func color(_ frame: borrowing Frame, _ stream: StreamInfo.Video) -> ColorSpace {
    let (space, range) = unsafe (frame.raw.pointee.colorspace, frame.raw.pointee.color_range)
    var color = ColorSpace(
      space: space, range: range, format: frame.pixelFormat, height: frame.size.height)
    if space == AVCOL_SPC_UNSPECIFIED {
      color.matrix = light(frame, stream).transfer == .sdr ? stream.color.matrix : .bt2020
    }
    if range == AVCOL_RANGE_UNSPECIFIED, stream.color.range == .full { color.range = .full }
    return color
  }

  static func light(_ frame: borrowing Frame, _ stream: StreamInfo.Video) -> Colorimetry {
    unsafe Colorimetry(
      transfer: frame.raw.pointee.color_trc, primaries: frame.raw.pointee.color_primaries,
      space: frame.raw.pointee.colorspace, peak: Int(cff_frame_peak(frame.raw)),
      otherwise: stream.light)
  }

  /// Returns the chroma siting of the converted picture: that of the input if it is 4:2:0,
  /// otherwise left.
  private static func chromaSiting(_ frame: borrowing Frame) -> ChromaSiting {
    guard let descriptor = unsafe av_pix_fmt_desc_get(frame.pixelFormat),
      unsafe descriptor.pointee.log2_chroma_w == 1 && descriptor.pointee.log2_chroma_h == 1
    else { return .left }
    return ChromaSiting(unsafe frame.raw.pointee.chroma_location)
  }

  private static func hasAlpha(_ format: AVPixelFormat) -> Bool {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return false }
    return unsafe descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
  }

  private static func isRGB(_ format: AVPixelFormat) -> Bool {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return false }
    return unsafe descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
      || descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
  }

  private mutating func converted(
    _ frame: borrowing Frame, color: ColorSpace, to format: AVPixelFormat = AV_PIX_FMT_YUV420P
  ) throws(FFmpegError) -> Frame {
    let needed = FormatKey(
      size: frame.size, source: Self.withoutRange(frame.pixelFormat), result: format)
    if formats != needed {
      formats = nil
      scaler = try Scaler(
        from: needed.size, needed.source, to: needed.size, format,
        options: CFF_SCALE_LEFT | CFF_SCALE_CHROMA_IN, path: path)
      formats = needed
    }
    let isFull = color.range == .full
    scaler?.setColors(
      color.matrix.space, isFull: isFull || Self.isRGB(frame.pixelFormat), resultIsFull: isFull)
    let result = try Frame.allocate(format, size: frame.size)
    try scaler?.scale(frame, into: result)
    return result
  }

  /// Maps the frame to the canvas's colors through the color table.
  private mutating func mapped(
    _ frame: borrowing Frame, _ colors: ColorTableKey
  ) throws(FFmpegError) -> Frame {
    let table: ColorConversionTable
    if let present = self.table, present.colors == colors {
      table = present.table
    } else {
      table = ColorConversionTable.of(color: colors.color, light: colors.light)
      self.table = (colors, table)
    }
    let result = try Frame.allocate(AV_PIX_FMT_YUV420P, size: frame.size)
    if frame.pixelFormat == AV_PIX_FMT_YUV420P10LE, frame.hasForwardRows {
      frame.map(by: table, into: result, kernels)
    } else {
      let deep = try converted(frame, color: colors.color, to: AV_PIX_FMT_YUV420P10LE)
      deep.map(by: table, into: result, kernels)
    }
    return result
  }

  /// Replaces libav*'s full-range formats by the plain ones, because the range is passed
  /// separately.
  private static func withoutRange(_ format: AVPixelFormat) -> AVPixelFormat {
    switch format {
    case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
    case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
    case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
    case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUV440P
    default: format
    }
  }
}

extension ColorSpace.Matrix {
  fileprivate var space: AVColorSpace {
    switch self {
    case .bt601: AVCOL_SPC_SMPTE170M
    case .bt709: AVCOL_SPC_BT709
    case .bt2020: AVCOL_SPC_BT2020_NCL
    }
  }
}

extension Frame {
  /// True if the rows of all three planes are top-down and do not overlap.
  fileprivate var hasForwardRows: Bool {
    let bytes: CInt = pixelFormat == AV_PIX_FMT_YUV420P10LE ? 2 : 1
    let chroma = bytes * CInt(size.chroma.width)
    let strides = unsafe raw.pointee.linesize
    return strides.0 >= bytes * CInt(size.width) && strides.1 >= chroma && strides.2 >= chroma
  }

  /// Maps planar 10-bit 4:2:0 through `table` to planar 8-bit 4:2:0.
  fileprivate func map(
    by table: ColorConversionTable, into result: borrowing Frame, _ kernels: PixelKernels
  ) {
    let (luma, blue, red) = (plane(0), plane(1), plane(2))
    func samples(_ plane: MutablePlane) -> UnsafePointer<UInt16> {
      unsafe UnsafePointer(UnsafeRawPointer(plane.base).assumingMemoryBound(to: UInt16.self))
    }
    let picture = unsafe TenBitPicture(
      size: size, planes: [samples(luma), samples(blue), samples(red)],
      strides: [luma.stride, blue.stride, red.stride])
    kernels.map(
      picture, by: table, luma: result.plane(0), blue: result.plane(1),
      red: result.plane(2))
  }

  /// Returns plane `index`, 0 to 2, of a planar 4:2:0 frame. Only a frame with a buffer of its own
  /// may be written to.
  func plane(_ index: Int) -> MutablePlane {
    let (data, strides) = unsafe (raw.pointee.data, raw.pointee.linesize)
    let (base, stride) =
      switch index {
      case 0: unsafe (data.0, strides.0)
      case 1: unsafe (data.1, strides.1)
      default: unsafe (data.2, strides.2)
      }
    guard let base = unsafe base else { preconditionFailure("a picture has its planes") }
    return unsafe MutablePlane(
      base: base, stride: Int(stride), size: index == 0 ? size : size.chroma)
  }
}

/// Keeps a decoded frame alive while pictures refer to its planes. Immutable, so that threads may
/// share it.
private final class FrameOwner: @unchecked Sendable {
  private let frame: Frame

  init(_ frame: consuming Frame) { self.frame = frame }

  /// Returns a picture that refers to the frame's planes.
  func picture(
    color: ColorSpace, orientation: Orientation, sampleAspectRatio: SampleAspectRatio,
    chromaSiting: ChromaSiting
  ) -> Picture {
    Picture(
      luma: frame.plane(0).readOnly, blue: frame.plane(1).readOnly, red: frame.plane(2).readOnly,
      color: color, orientation: orientation, sampleAspectRatio: sampleAspectRatio,
      chromaSiting: chromaSiting, owner: self)
  }
}
