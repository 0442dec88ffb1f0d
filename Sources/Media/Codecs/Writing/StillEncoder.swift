import CTesseraFFmpeg
package import TesseraPixels

/// Encodes one canvas as a PNG or JPEG file.
package enum StillEncoder {
  /// Returns a PNG file of a BT.709 limited-range 4:2:0 picture.
  package static func png(
    luma: Plane, blue: Plane, red: Plane
  ) throws(FFmpegError) -> [UInt8] {
    try encode(try rgb(luma, blue, red), AV_CODEC_ID_PNG, AV_PIX_FMT_RGB24, "png")
  }

  /// Returns a JPEG file of a BT.709 limited-range 4:2:0 picture: in high quality, or smaller if
  /// `isCoarse`.
  package static func jpeg(
    luma: Plane, blue: Plane, red: Plane, isCoarse: Bool
  ) throws(FFmpegError) -> [UInt8] {
    let frame = try Frame.allocate(AV_PIX_FMT_YUVJ420P, size: luma.size)
    let rgb = try rgb(luma, blue, red)
    // JPEG uses full-range BT.601, libswscale's default when converting from RGB.
    let scaler = try Scaler(
      from: luma.size, AV_PIX_FMT_RGB24, to: luma.size, AV_PIX_FMT_YUVJ420P,
      options: CFF_SCALE_LEFT, path: "jpeg")
    try scaler.scale(rgb, into: frame)
    return try encode(
      frame, AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P, "jpeg", coarseness: isCoarse ? 6 : 2)
  }

  /// Encodes `frame`. `coarseness` is MJPEG's quantizer scale, 2 (fine) to 31 (coarse).
  private static func encode(
    _ frame: borrowing Frame, _ id: AVCodecID, _ format: AVPixelFormat, _ name: String,
    coarseness: CInt = 2
  ) throws(FFmpegError) -> [UInt8] {
    let operation = "encode a still picture"
    guard let codec = unsafe avcodec_find_encoder(id),
      let context = unsafe avcodec_alloc_context3(codec)
    else {
      throw FFmpegError(code: CFF_ERROR_ENCODER_NOT_FOUND, operation: operation, path: name)
    }
    var owned: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    defer { unsafe avcodec_free_context(&owned) }
    unsafe context.pointee.width = unsafe frame.raw.pointee.width
    unsafe context.pointee.height = unsafe frame.raw.pointee.height
    unsafe context.pointee.pix_fmt = format
    unsafe context.pointee.time_base = AVRational(num: 1, den: 1)
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.flags |= AV_CODEC_FLAG_QSCALE
    unsafe context.pointee.global_quality = coarseness * FF_QP2LAMBDA
    unsafe frame.raw.pointee.quality = coarseness * FF_QP2LAMBDA
    try check(unsafe avcodec_open2(context, codec, nil), operation, name)
    try check(unsafe avcodec_send_frame(context, frame.raw), operation, name)
    try check(unsafe avcodec_send_frame(context, nil), operation, name)
    let packet = try Packet.allocate()
    try check(unsafe avcodec_receive_packet(context, packet.raw), operation, name)
    let bytes = unsafe UnsafeBufferPointer(start: packet.raw.pointee.data, count: packet.size)
    return unsafe Array(bytes)
  }

  private static func rgb(
    _ luma: Plane, _ blue: Plane, _ red: Plane
  ) throws(FFmpegError) -> Frame {
    let scaler = try Scaler(
      from: luma.size, AV_PIX_FMT_YUV420P, to: luma.size, AV_PIX_FMT_RGB24,
      options: CFF_SCALE_LEFT | CFF_SCALE_CHROMA_OUT, path: "png")
    scaler.setColors(AVCOL_SPC_BT709, isFull: false, resultIsFull: true)
    let frame = try Frame.allocate(AV_PIX_FMT_RGB24, size: luma.size)
    try scaler.scale([luma, blue, red], into: frame)
    return frame
  }
}
