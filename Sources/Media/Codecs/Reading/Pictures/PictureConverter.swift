import CTesseraFFmpeg
import TesseraPixels

/// Turns decoded frames into pictures: planar 8-bit 4:2:0 as it is, everything else through
/// libswscale into that, with the same matrix and range. High dynamic range and wide primaries
/// become the canvas's colors by a table; what is transparent lies over a background.
@safe struct PictureConverter: ~Copyable {
  /// What a scaler was made for.
  private struct Formats: Equatable {
    var size: PixelSize
    var source: AVPixelFormat
    var result: AVPixelFormat
  }

  /// What a table was made for.
  private struct Colors: Equatable {
    var color: ColorSpace
    var light: Light
  }

  private var scaler: Scaler?
  private var formats: Formats?
  private var table: (colors: Colors, table: ColorTable)?
  private let kernels = Kernels()
  private let stream: StreamInfo.Video
  private let background: Color
  private let path: String

  init(stream: StreamInfo.Video, background: Color = .black, path: String) {
    self.stream = stream
    self.background = background
    self.path = path
  }

  private static let planar420 = [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P]

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
    let (orientation, ratio) = (
      stream.orientation == .upright ? frame.orientation ?? .upright : stream.orientation,
      sampleAspectRatio(of: frame)
    )
    let siting = Self.chromaSiting(frame)
    let light = Self.light(frame, stream)
    if light != .canvas, !Self.isRGB(frame.pixelFormat) {
      let memory = PictureMemory(try mapped(frame, Colors(color: color, light: light)))
      return memory.picture(
        size, color: .canvas, orientation: orientation, sampleAspectRatio: ratio,
        chromaSiting: siting)
    }
    let isPlanar = Self.planar420.contains(frame.pixelFormat) && frame.hasForwardRows
    if !isPlanar, Self.isRGB(frame.pixelFormat) { color = .canvas }
    let planar: Frame
    if Self.hasAlpha(frame.pixelFormat) {
      let blend = AlphaBlend(over: background, color: color)
      planar =
        frame.pixelFormat == AV_PIX_FMT_YUVA420P && frame.hasForwardRows
        ? try blend.blended(frame)
        : try blend.blended(try converted(frame, color: color, to: AV_PIX_FMT_YUVA420P))
    } else {
      planar = isPlanar ? try frame.move() : try converted(frame, color: color)
    }
    return PictureMemory(planar).picture(
      size, color: color, orientation: orientation, sampleAspectRatio: ratio, chromaSiting: siting)
  }

  private func sampleAspectRatio(of frame: borrowing Frame) -> SampleAspectRatio {
    let ratio = unsafe frame.raw.pointee.sample_aspect_ratio
    guard !stream.hasOwnAspectRatio, ratio.num > 0 else { return stream.sampleAspectRatio }
    return SampleAspectRatio(ratio)
  }

  /// The colors of a picture, by its own tags or else its stream's.
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

  static func light(_ frame: borrowing Frame, _ stream: StreamInfo.Video) -> Light {
    unsafe Light(
      transfer: frame.raw.pointee.color_trc, primaries: frame.raw.pointee.color_primaries,
      space: frame.raw.pointee.colorspace, peak: Int(cff_frame_peak(frame.raw)),
      otherwise: stream.light)
  }

  /// Where the chroma lies in what a picture becomes: where it lay, if it is 4:2:0 already.
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
    let needed = Formats(
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

  /// The frame in the canvas's colors.
  private mutating func mapped(
    _ frame: borrowing Frame, _ colors: Colors
  ) throws(FFmpegError) -> Frame {
    let table: ColorTable
    if let present = self.table, present.colors == colors {
      table = present.table
    } else {
      table = ColorTable.of(color: colors.color, light: colors.light)
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
  fileprivate var space: AVColorSpace {
    switch self {
    case .bt601: AVCOL_SPC_SMPTE170M
    case .bt709: AVCOL_SPC_BT709
    case .bt2020: AVCOL_SPC_BT2020_NCL
    }
  }
}

extension Frame {
  /// Whether the rows of its three planes follow each other downwards, without overlap.
  fileprivate var hasForwardRows: Bool {
    let bytes: CInt = pixelFormat == AV_PIX_FMT_YUV420P10LE ? 2 : 1
    let chroma = bytes * CInt(size.chroma.width)
    let strides = unsafe raw.pointee.linesize
    return strides.0 >= bytes * CInt(size.width) && strides.1 >= chroma && strides.2 >= chroma
  }

  /// Writes the frame, planar ten-bit 4:2:0, as planar eight-bit 4:2:0 of other colors.
  fileprivate func map(by table: ColorTable, into result: borrowing Frame, _ kernels: Kernels) {
    let (data, strides) = unsafe (raw.pointee.data, raw.pointee.linesize)
    guard let luma = unsafe data.0, let blue = unsafe data.1, let red = unsafe data.2 else {
      preconditionFailure("a decoded picture has its planes")
    }
    func samples(_ plane: UnsafeMutablePointer<UInt8>) -> UnsafePointer<UInt16> {
      unsafe UnsafePointer(UnsafeRawPointer(plane).assumingMemoryBound(to: UInt16.self))
    }
    let picture = unsafe DeepPicture(
      size: size, planes: [samples(luma), samples(blue), samples(red)],
      strides: [Int(strides.0), Int(strides.1), Int(strides.2)])
    kernels.map(
      picture, by: table, luma: result.writablePlane(0), blue: result.writablePlane(1),
      red: result.writablePlane(2))
  }

  /// Plane `index` of a planar eight-bit 4:2:0 frame of one's own.
  private func writablePlane(_ index: Int) -> MutablePlane {
    let (data, strides) = unsafe (raw.pointee.data, raw.pointee.linesize)
    let (base, stride) =
      switch index {
      case 0: unsafe (data.0, strides.0)
      case 1: unsafe (data.1, strides.1)
      default: unsafe (data.2, strides.2)
      }
    guard let base = unsafe base else { preconditionFailure("an allocated picture has its planes") }
    return unsafe MutablePlane(
      base: base, stride: Int(stride), size: index == 0 ? size : size.chroma)
  }
}

/// Keeps a decoded frame alive for the pictures over its planes. It is not changed any more, so
/// threads may share it.
private final class PictureMemory: @unchecked Sendable {
  private let frame: Frame

  init(_ frame: consuming Frame) { self.frame = frame }

  /// The picture over the frame's planes.
  func picture(
    _ size: PixelSize, color: ColorSpace, orientation: Orientation,
    sampleAspectRatio: SampleAspectRatio, chromaSiting: ChromaSiting
  ) -> Picture {
    let chroma = size.chroma
    return Picture(
      luma: plane(0, size), blue: plane(1, chroma), red: plane(2, chroma), color: color,
      orientation: orientation, sampleAspectRatio: sampleAspectRatio, chromaSiting: chromaSiting,
      owner: self)
  }

  private func plane(_ index: Int, _ size: PixelSize) -> Plane {
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
