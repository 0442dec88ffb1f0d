import CTesseraFFmpeg
public import TesseraPixels

/// Encodes one canvas as a PNG file.
public enum StillEncoder {
  /// The PNG file's bytes for a BT.709 limited 4:2:0 picture.
  public static func png(
    luma: Plane, blue: Plane, red: Plane
  ) throws(FFmpegError) -> [UInt8] {
    let frame = try rgb(luma, blue, red)
    let operation = "encode a still picture"
    guard let codec = unsafe avcodec_find_encoder(AV_CODEC_ID_PNG),
      let context = unsafe avcodec_alloc_context3(codec)
    else {
      throw FFmpegError(code: CFF_ERROR_ENCODER_NOT_FOUND, operation: operation, path: "png")
    }
    var owned: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    defer { unsafe avcodec_free_context(&owned) }
    unsafe context.pointee.width = unsafe frame.raw.pointee.width
    unsafe context.pointee.height = unsafe frame.raw.pointee.height
    unsafe context.pointee.pix_fmt = AV_PIX_FMT_RGB24
    unsafe context.pointee.time_base = AVRational(num: 1, den: 1)
    try check(unsafe avcodec_open2(context, codec, nil), operation, "png")
    try check(unsafe avcodec_send_frame(context, frame.raw), operation, "png")
    try check(unsafe avcodec_send_frame(context, nil), operation, "png")
    let packet = try Packet.allocate()
    try check(unsafe avcodec_receive_packet(context, packet.raw), operation, "png")
    let bytes = unsafe UnsafeBufferPointer(start: packet.raw.pointee.data, count: packet.size)
    return unsafe Array(bytes)
  }

  private static func rgb(
    _ luma: Plane, _ blue: Plane, _ red: Plane
  ) throws(FFmpegError) -> Frame {
    let (width, height) = (CInt(luma.size.width), CInt(luma.size.height))
    let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT
    guard
      let scaler = unsafe cff_scaler(
        width, height, AV_PIX_FMT_YUV420P, AV_PIX_FMT_RGB24, flags)
    else { throw .outOfMemory("convert a still picture", "png") }
    defer { unsafe sws_freeContext(scaler) }
    let coefficients = unsafe sws_getCoefficients(SWS_CS_ITU709)
    unsafe sws_setColorspaceDetails(
      scaler, coefficients, 0, coefficients, 1, 0, 1 << 16, 1 << 16)
    let frame = try Frame.allocate(AV_PIX_FMT_RGB24, size: luma.size)
    let planes: [UnsafePointer<UInt8>?] = unsafe [luma.base, blue.base, red.base]
    let strides = [CInt(luma.stride), CInt(blue.stride), CInt(red.stride)]
    let rows = unsafe withUnsafeMutablePointer(to: &frame.raw.pointee.data) { data in
      unsafe data.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { data in
        unsafe withUnsafePointer(to: &frame.raw.pointee.linesize) { lines in
          unsafe lines.withMemoryRebound(to: CInt.self, capacity: 8) { lines in
            unsafe sws_scale(scaler, planes, strides, 0, height, data, lines)
          }
        }
      }
    }
    try check(rows, "convert a still picture", "png")
    return frame
  }
}
