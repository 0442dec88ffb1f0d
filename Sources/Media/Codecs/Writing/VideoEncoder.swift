import CTesseraFFmpeg
import Glibc
package import TesseraPixels
import TesseraSystem
import TesseraTimeline

/// Encodes canvases into packets of one stream, in order.
@safe package struct VideoEncoder: ~Copyable {
  private let owner: CodecContext
  private let frame: Frame
  /// The packet that is reused for each output of the encoder.
  private let packet: EncodedPacket
  /// libav*'s name of the encoder.
  let name: String

  var context: UnsafeMutablePointer<AVCodecContext> { unsafe owner.raw }

  /// Opens the encoder that `settings` describe.
  ///
  /// - Parameters:
  ///   - settings: The encoder and its settings.
  ///   - interval: The maximum number of frames between keyframes; `nil` is
  ///     ``VideoEncoderSettings/keyframeInterval``.
  ///   - isFrugal: True to use less memory and processor time, at the cost of longer wall-clock
  ///     time if the machine is otherwise idle. The bytes are identical.
  /// - Returns: An encoder without input.
  /// - Throws: ``FFmpegError`` with ``FFmpegError/isRefusal`` if the encoder does not exist, or
  ///   rejects an option or a value.
  package static func open(
    _ settings: VideoEncoderSettings, interval: Int? = nil, isFrugal: Bool = false
  ) throws(FFmpegError) -> VideoEncoder {
    do {
      return try configured(
        settings, interval: interval ?? settings.keyframeInterval, isFrugal: isFrugal)
    } catch {
      throw error.asRefusal
    }
  }

  private static func configured(
    _ settings: VideoEncoderSettings, interval: Int, isFrugal: Bool
  ) throws(FFmpegError) -> VideoEncoder {
    _ = FFmpegLog.installed
    let name = settings.encoder
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      unsafe codec.pointee.type == AVMEDIA_TYPE_VIDEO,
      let owner = unsafe CodecContext(codec)
    else {
      throw FFmpegError(
        code: CFF_ERROR_ENCODER_NOT_FOUND, operation: "find the video encoder", path: name)
    }
    let context = unsafe owner.raw
    let encoder = unsafe VideoEncoder(
      owner: owner, frame: try Frame.allocate(),
      packet: EncodedPacket(try Packet.allocate(), timeBase: context.pointee.time_base),
      name: name)
    unsafe configure(context, settings, interval)
    _ = FFmpegLog.takeLastLine()
    var options = EncoderOptionDictionary(settings, isFrugal: isFrugal)
    defer { options.free() }
    let status = ThreadPriority.keptOrdinary {
      unsafe avcodec_open2(context, codec, &options.dictionary)
    }
    try check(status, "open the encoder", name)
    let refused = FFmpegLog.takeLastLine().flatMap(FFmpegLog.refusedOption)
    if let unused = options.firstKey ?? refused {
      throw FFmpegError(
        code: CFF_ERROR_OPTION_NOT_FOUND, operation: "set the option \(unused) of the encoder",
        path: name)
    }
    return encoder
  }

  private static func configure(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ settings: VideoEncoderSettings,
    _ interval: Int
  ) {
    let rate = settings.frameRate
    unsafe context.pointee.width = CInt(settings.size.width)
    unsafe context.pointee.height = CInt(settings.size.height)
    unsafe context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
    unsafe context.pointee.time_base = AVRational(
      num: CInt(rate.denominator), den: CInt(rate.numerator))
    unsafe context.pointee.framerate = AVRational(
      num: CInt(rate.numerator), den: CInt(rate.denominator))
    unsafe context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    unsafe context.pointee.colorspace = AVCOL_SPC_BT709
    unsafe context.pointee.color_primaries = AVCOL_PRI_BT709
    unsafe context.pointee.color_trc = AVCOL_TRC_BT709
    unsafe context.pointee.color_range = AVCOL_RANGE_MPEG
    unsafe context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
    unsafe context.pointee.gop_size = CInt(interval)
    if settings.placesAllKeyframes, VideoEncoderProfile.named(settings.encoder).hasLeastInterval {
      unsafe context.pointee.keyint_min = unsafe context.pointee.gop_size
    }
    unsafe context.pointee.thread_count = CInt(settings.threads)
    unsafe context.pointee.flags |=
      AV_CODEC_FLAG_GLOBAL_HEADER | CInt(bitPattern: AV_CODEC_FLAG_CLOSED_GOP)
  }

  /// Encodes a canvas as frame number `number`, as a closed keyframe if `isKeyframe`. The planes
  /// are read during the call only. Calls `body` with each packet that is ready; the packet is
  /// valid until `body` returns, because it is reused.
  ///
  /// - Throws: ``FFmpegError`` if the encoder fails, or a refusal if the encoder keeps a reference
  ///   to the canvas.
  package func encode(
    luma: Plane, blue: Plane, red: Plane, number: Int, isKeyframe: Bool = false,
    _ body: (EncodedPacket) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    let raw = unsafe frame.raw
    unsafe raw.pointee.format = AV_PIX_FMT_YUV420P.rawValue
    unsafe raw.pointee.width = context.pointee.width
    unsafe raw.pointee.height = context.pointee.height
    unsafe raw.pointee.pts = Int64(number)
    unsafe raw.pointee.pict_type = isKeyframe ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    unsafe raw.borrowPlane(0, luma)
    unsafe raw.borrowPlane(1, blue)
    unsafe raw.borrowPlane(2, red)
    // The buffer owns nothing. It only lets libav* count references to the canvas's memory.
    unsafe raw.pointee.buf.0 = unsafe av_buffer_create(
      UnsafeMutablePointer(mutating: luma.base), luma.stride * luma.size.height, { _, _ in }, nil,
      0)
    defer { frame.clear() }
    guard unsafe raw.pointee.buf.0 != nil else {
      throw .outOfMemory("encode frame \(number)", name)
    }
    try check(unsafe avcodec_send_frame(context, raw), "encode frame \(number)", name)
    try takePackets(body)
    guard unsafe av_frame_is_writable(raw) != 0 else {
      throw FFmpegError(
        code: cff_averror(EBUSY), operation: "use an encoder that keeps its input", path: name
      ).asRefusal
    }
  }

  /// Flushes the encoder and calls `body` with the remaining packets, each valid until `body`
  /// returns.
  package func finish(
    _ body: (EncodedPacket) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    try check(unsafe avcodec_send_frame(context, nil), "finish the video", name)
    try takePackets(body)
  }

  private func takePackets(
    _ body: (EncodedPacket) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    while try unsafe packet.receive(from: context, "encode the video", name) { try body(packet) }
  }
}

extension UnsafeMutablePointer<AVFrame> {
  fileprivate func borrowPlane(_ index: Int, _ plane: Plane) {
    unsafe withUnsafeMutableBytes(of: &pointee.data) { bytes in
      unsafe bytes.bindMemory(to: UnsafePointer<UInt8>?.self)[index] = unsafe plane.base
    }
    unsafe withUnsafeMutableBytes(of: &pointee.linesize) { bytes in
      unsafe bytes.bindMemory(to: CInt.self)[index] = CInt(plane.stride)
    }
  }
}

/// The options of an encoder as a libav* dictionary.
@safe private struct EncoderOptionDictionary {
  var dictionary: OpaquePointer?

  init(_ settings: VideoEncoderSettings, isFrugal: Bool) {
    unsafe dictionary = nil
    let profile = VideoEncoderProfile.named(settings.encoder)
    let withoutScenes =
      settings.placesAllKeyframes ? profile.withoutScenes : (options: [], own: [])
    for option in profile.options + withoutScenes.options { set(option.name, option.value) }
    if settings.quality == 0, let lossless = profile.losslessProfile { set("profile", lossless) }
    if let preset = settings.preset { set(profile.presetOption, preset) }
    if let quality = settings.quality {
      set(profile.qualityOption, "\(quality)\(profile.qualityUnit)")
    }
    var own =
      profile.fixedOwnOptions + withoutScenes.own + (isFrugal ? profile.frugalOwnOptions : [])
    for (name, value) in settings.options.sorted(by: { $0.key < $1.key }) {
      if name == profile.ownOptions { own.append(value) } else { set(name, value) }
    }
    if let name = profile.ownOptions, !own.isEmpty { set(name, own.joined(separator: ":")) }
  }

  private mutating func set(_ name: String, _ value: String) {
    unsafe av_dict_set(&dictionary, name, value, 0)
  }

  /// The first option that the encoder did not consume; `nil` if it consumed all.
  var firstKey: String? {
    guard let entry = unsafe av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX) else {
      return nil
    }
    return unsafe String(cString: entry.pointee.key)
  }

  mutating func free() { unsafe av_dict_free(&dictionary) }
}
