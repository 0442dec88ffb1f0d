import CTesseraFFmpeg
import TesseraPixels

/// Turns decoded frames into pictures: planar 8-bit 4:2:0 as it is, everything else through
/// libswscale into that, with the same matrix and range.
@safe struct PictureConverter: ~Copyable {
  private var scaler: OpaquePointer?
  private let stream: StreamInfo.Video
  private let path: String

  init(stream: StreamInfo.Video, path: String) {
    self.stream = stream
    self.path = path
    unsafe self.scaler = nil
  }

  deinit { unsafe sws_freeContext(scaler) }

  private static let planar420 = [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVA420P]

  /// Takes over `frame`'s content.
  ///
  /// - Throws: where the picture is larger than is accepted, or memory ran out.
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
    let (orientation, ratio) = (orientation(of: frame), sampleAspectRatio(of: frame))
    let isPlanar = Self.planar420.contains(frame.pixelFormat) && frame.hasForwardRows
    if !isPlanar, Self.isRGB(frame.pixelFormat) { color = .canvas }
    let memory = PictureMemory(isPlanar ? try frame.move() : try converted(frame, color: color))
    let chroma = size.chroma
    return Picture(
      luma: memory.plane(0, size), blue: memory.plane(1, chroma), red: memory.plane(2, chroma),
      color: color, orientation: orientation,
      sampleAspectRatio: ratio, owner: memory)
  }

  private func sampleAspectRatio(of frame: borrowing Frame) -> SampleAspectRatio {
    let ratio = unsafe frame.raw.pointee.sample_aspect_ratio
    guard !stream.hasOwnAspectRatio, ratio.num > 0 else { return stream.sampleAspectRatio }
    return SampleAspectRatio(ratio)
  }

  /// The colours of a picture, by its own tags or else its stream's.
  static func color(_ frame: borrowing Frame, _ stream: StreamInfo.Video) -> ColorSpace {
    let (space, range) = unsafe (frame.raw.pointee.colorspace, frame.raw.pointee.color_range)
    var color = ColorSpace(
      space: space, range: range, format: frame.pixelFormat, height: frame.size.height)
    if space == AVCOL_SPC_UNSPECIFIED { color.matrix = stream.color.matrix }
    if range == AVCOL_RANGE_UNSPECIFIED, stream.color.range == .full { color.range = .full }
    return color
  }

  private func orientation(of frame: borrowing Frame) -> Orientation {
    guard stream.orientation == .upright,
      let side = unsafe av_frame_get_side_data(frame.raw, AV_FRAME_DATA_DISPLAYMATRIX),
      unsafe side.pointee.size >= 9 * MemoryLayout<Int32>.size
    else { return stream.orientation }
    return unsafe side.pointee.data.withMemoryRebound(to: Int32.self, capacity: 9) {
      unsafe Orientation(displayMatrix: $0)
    }
  }

  private static func isRGB(_ format: AVPixelFormat) -> Bool {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return false }
    return unsafe descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
      || descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
  }

  private mutating func converted(
    _ frame: borrowing Frame, color: ColorSpace
  ) throws(FFmpegError) -> Frame {
    let (width, height) = unsafe (frame.raw.pointee.width, frame.raw.pointee.height)
    let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INP
    unsafe scaler = unsafe sws_getCachedContext(
      scaler, width, height, Self.withoutRange(frame.pixelFormat), width, height,
      AV_PIX_FMT_YUV420P, flags, nil, nil, nil)
    guard let scaler = unsafe scaler else {
      throw FFmpegError(
        code: CFF_ERROR_PATCH_WELCOME, operation: "convert a picture's format", path: path)
    }
    let coefficients = unsafe sws_getCoefficients(color.matrix.scalerConstant)
    let range: CInt = color.range == .full ? 1 : 0
    let sourceRange = Self.isRGB(frame.pixelFormat) ? 1 : range
    unsafe sws_setColorspaceDetails(
      scaler, coefficients, sourceRange, coefficients, range, 0, 1 << 16, 1 << 16)
    let result = try Frame.allocate(AV_PIX_FMT_YUV420P, size: frame.size)
    try check(
      unsafe sws_scale_frame(scaler, result.raw, frame.raw), "convert a picture's format", path)
    return result
  }

  /// The formats whose name says "full range", as those that do not: the range is set apart.
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
  fileprivate var scalerConstant: CInt {
    switch self {
    case .bt601: SWS_CS_ITU601
    case .bt709: SWS_CS_ITU709
    case .bt2020: SWS_CS_BT2020
    }
  }
}

extension Frame {
  /// Whether the rows of its three planes follow each other downwards, without overlap.
  fileprivate var hasForwardRows: Bool {
    let chroma = CInt(size.chroma.width)
    let strides = unsafe raw.pointee.linesize
    return strides.0 >= CInt(size.width) && strides.1 >= chroma && strides.2 >= chroma
  }
}

/// Keeps a decoded frame alive for the pictures over its planes. It is not changed any more, so
/// threads may share it.
private final class PictureMemory: @unchecked Sendable {
  private let frame: Frame

  init(_ frame: consuming Frame) { self.frame = frame }

  func plane(_ index: Int, _ size: PixelSize) -> Plane {
    let (data, strides) = unsafe (frame.raw.pointee.data, frame.raw.pointee.linesize)
    let (base, stride) =
      switch index {
      case 0: unsafe (data.0, strides.0)
      case 1: unsafe (data.1, strides.1)
      default: unsafe (data.2, strides.2)
      }
    guard let base = unsafe base else { preconditionFailure("a decoded picture has its planes") }
    return unsafe Plane(base: base, stride: Int(stride), size: size)
  }
}
