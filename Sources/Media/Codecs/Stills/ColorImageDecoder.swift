internal import CTesseraFFmpeg
import TesseraMessages
internal import TesseraPixels

/// Decodes an image file to a ``ColorImage``.
enum ColorImageDecoder {
  /// Decodes the complete file `bytes`, upright, downscaled so that the longer side is at most
  /// `longestSide` pixels.
  static func decode(
    _ bytes: [UInt8], _ format: StillHeader.Format, longestSide: Int
  ) throws(ImageFileError.Reason) -> ColorImage {
    do throws(FFmpegError) {
      let frame = try decoded(bytes, format)
      let orientation = frame.orientation ?? .upright
      let scaled = try scaled(frame, longestSide: longestSide)
      return image(scaled).oriented(orientation)
    } catch {
      throw .damaged(UserMessage(error.logLine ?? error.reason))
    }
  }

  private static func decoded(
    _ bytes: [UInt8], _ format: StillHeader.Format
  ) throws(FFmpegError) -> Frame {
    guard let codec = unsafe avcodec_find_decoder(format.codec),
      let context = unsafe avcodec_alloc_context3(codec)
    else {
      throw FFmpegError(
        code: CFF_ERROR_DECODER_NOT_FOUND, operation: "find a decoder", path: "picture")
    }
    var owned: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    defer { unsafe avcodec_free_context(&owned) }
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.max_pixels = Int64(Demuxer.largestPicture)
    unsafe context.pointee.err_recognition = AV_EF_EXPLODE
    try check(unsafe avcodec_open2(context, codec, nil), "open the decoder", "picture")
    let packet = try Packet.allocate()
    try check(
      unsafe av_new_packet(packet.raw, CInt(bytes.count)), "take memory for a picture", "picture")
    unsafe packet.raw.pointee.data.update(from: bytes, count: bytes.count)
    try check(unsafe avcodec_send_packet(context, packet.raw), "decode a picture", "picture")
    let frame = try Frame.allocate()
    // Decoders of animated formats return a frame only after the flush.
    unsafe avcodec_send_packet(context, nil)
    try check(unsafe avcodec_receive_frame(context, frame.raw), "decode a picture", "picture")
    let size = frame.size
    guard !frame.isDamaged, max(size.width, size.height) <= Demuxer.longestSide,
      size.area <= Demuxer.largestPicture
    else {
      throw FFmpegError(
        code: CFF_ERROR_INVALID_DATA, operation: "decode a picture", path: "picture")
    }
    return frame
  }

  /// Converts the frame to premultiplied RGBA, with the longer side at most `longestSide`.
  private static func scaled(
    _ frame: borrowing Frame, longestSide: Int
  ) throws(FFmpegError) -> Frame {
    let full = frame.size
    let longer = max(full.width, full.height)
    func side(_ length: Int) -> Int {
      longer <= longestSide ? length : max(1, (length * longestSide + longer / 2) / longer)
    }
    let size = PixelSize(width: side(full.width), height: side(full.height))
    guard hasAlpha(frame.pixelFormat) else { return try converted(frame, to: size) }
    // Premultiplied before scaling, so that colors of transparent pixels do not bleed into others.
    let whole = try converted(frame, to: full)
    premultiply(whole)
    return size == full ? whole : try converted(whole, to: size)
  }

  private static func hasAlpha(_ format: AVPixelFormat) -> Bool {
    guard let descriptor = unsafe av_pix_fmt_desc_get(format) else { return true }
    return unsafe descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL)
      != 0
  }

  private static func converted(
    _ frame: borrowing Frame, to size: PixelSize
  ) throws(FFmpegError) -> Frame {
    let from = frame.size
    let (format, isFull) = plainFormat(frame)
    let scaler = try Scaler(
      from: from, format, to: size, AV_PIX_FMT_RGBA,
      options: (size == from ? 0 : CFF_SCALE_AREA) | CFF_SCALE_CHROMA_IN | CFF_SCALE_CHROMA_OUT,
      path: "picture")
    let space = unsafe frame.raw.pointee.colorspace
    scaler.setColors(
      space == AVCOL_SPC_BT709 ? space : AVCOL_SPC_UNSPECIFIED, isFull: isFull, resultIsFull: true)
    let result = try Frame.allocate(AV_PIX_FMT_RGBA, size: size)
    try scaler.scale(frame, into: result)
    return result
  }

  /// Returns the pixel format without libav*'s full-range variants, and true if the range is full.
  private static func plainFormat(_ frame: borrowing Frame) -> (AVPixelFormat, isFull: Bool) {
    let isFull = unsafe frame.raw.pointee.color_range == AVCOL_RANGE_JPEG
    return switch frame.pixelFormat {
    case AV_PIX_FMT_YUVJ420P: (AV_PIX_FMT_YUV420P, true)
    case AV_PIX_FMT_YUVJ422P: (AV_PIX_FMT_YUV422P, true)
    case AV_PIX_FMT_YUVJ444P: (AV_PIX_FMT_YUV444P, true)
    case AV_PIX_FMT_YUVJ440P: (AV_PIX_FMT_YUV440P, true)
    case AV_PIX_FMT_YUVJ411P: (AV_PIX_FMT_YUV411P, true)
    default: (frame.pixelFormat, isFull)
    }
  }

  private static func premultiply(_ frame: borrowing Frame) {
    let size = frame.size
    let stride = Int(unsafe frame.raw.pointee.linesize.0)
    guard let base = unsafe frame.raw.pointee.data.0 else { return }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let pixel = unsafe base + y * stride + 4 * x
        let alpha = Int(unsafe pixel[3])
        guard alpha < 255 else { continue }
        for component in 0..<3 {
          unsafe pixel[component] = UInt8((Int(pixel[component]) * alpha + 127) / 255)
        }
      }
    }
  }

  private static func image(_ frame: borrowing Frame) -> ColorImage {
    let size = frame.size
    let stride = Int(unsafe frame.raw.pointee.linesize.0)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * size.area)
    for y in 0..<size.height {
      guard let base = unsafe frame.raw.pointee.data.0 else { break }
      unsafe bytes.append(
        contentsOf: UnsafeBufferPointer(start: base + y * stride, count: 4 * size.width))
    }
    return ColorImage(width: size.width, height: size.height, bytes: bytes)
  }
}

extension StillHeader.Format {
  fileprivate var codec: AVCodecID {
    switch self {
    case .png: AV_CODEC_ID_PNG
    case .jpeg: AV_CODEC_ID_MJPEG
    case .webp: AV_CODEC_ID_WEBP
    case .gif: AV_CODEC_ID_GIF
    }
  }
}

extension ColorImage {
  /// Returns the image rotated and mirrored for display.
  func oriented(_ orientation: Orientation) -> ColorImage {
    guard orientation != .upright else { return self }
    let shown = orientation.transposes ? size.transposed : size
    var turned: [UInt8] = []
    turned.reserveCapacity(bytes.count)
    for y in 0..<shown.height {
      for x in 0..<shown.width {
        let (u, v) = orientation.transposes ? (y, x) : (x, y)
        let column = orientation.mirrorsHorizontally ? width - 1 - u : u
        let row = orientation.mirrorsVertically ? height - 1 - v : v
        let index = 4 * (row * width + column)
        turned += bytes[index..<index + 4]
      }
    }
    return ColorImage(width: shown.width, height: shown.height, bytes: turned)
  }
}
