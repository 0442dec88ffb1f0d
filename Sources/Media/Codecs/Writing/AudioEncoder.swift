import CTesseraFFmpeg
import TesseraTimeline

/// Encodes interleaved 48 kHz stereo into packets of one stream, in order.
///
/// A lossy stream starts with priming samples that are not part of the audio (``priming``). The
/// packets' timestamps account for it: the first one is negative, which becomes an edit list in
/// MP4.
@safe package struct AudioEncoder: ~Copyable {
  private let owner: CodecContext
  /// The settings that the encoder was opened with.
  package let settings: SoundEncoderSettings
  /// The number of samples per channel in a packet.
  package let packetLength: Int
  private let frame: Frame
  private var position: Int64 = 0
  private var waiting: [Float] = []

  /// A suitable number of samples per channel for each call of ``encode(_:)``: that of an AAC
  /// packet.
  package static let blockLength = 1024
  /// The sample rate of the input, in Hz.
  static let sampleRate = 48_000

  var context: UnsafeMutablePointer<AVCodecContext> { unsafe owner.raw }

  /// Opens the encoder that `settings` describe.
  package static func open(_ settings: SoundEncoderSettings) throws(FFmpegError) -> AudioEncoder {
    _ = FFmpegLog.installed
    let name = settings.codec.rawValue
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let owner = unsafe CodecContext(codec)
    else {
      throw FFmpegError(
        code: CFF_ERROR_ENCODER_NOT_FOUND, operation: "find the audio encoder", path: name)
    }
    try unsafe configure(owner.raw, settings)
    try unsafe openCodec(owner.raw, codec, settings)
    let length = Int(unsafe owner.raw.pointee.frame_size)
    return AudioEncoder(
      owner: owner, settings: settings, packetLength: length > 0 ? length : blockLength,
      frame: try Frame.allocate())
  }

  private static func configure(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ settings: SoundEncoderSettings
  ) throws(FFmpegError) {
    let rate = CInt(sampleRate)
    unsafe context.pointee.sample_fmt = sampleFormat(of: settings.codec)
    unsafe context.pointee.sample_rate = rate
    unsafe context.pointee.time_base = AVRational(num: 1, den: rate)
    unsafe av_channel_layout_default(
      &context.pointee.ch_layout, CInt(settings.channelCount))
    unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    if settings.codec.isLossy {
      unsafe context.pointee.bit_rate = Int64(settings.bitRate)
    } else {
      unsafe context.pointee.bits_per_raw_sample = 24
    }
  }

  private static func sampleFormat(of codec: SoundEncoderSettings.Codec) -> AVSampleFormat {
    switch codec {
    case .aac, .mp3: AV_SAMPLE_FMT_FLTP
    case .opus: AV_SAMPLE_FMT_FLT
    case .flac, .pcm: AV_SAMPLE_FMT_S32
    }
  }

  private static func openCodec(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ codec: UnsafePointer<AVCodec>,
    _ settings: SoundEncoderSettings
  ) throws(FFmpegError) {
    var options: OpaquePointer? = nil
    defer { unsafe av_dict_free(&options) }
    if settings.codec == .aac {
      // The default coder, a two-loop search, sometimes produces peaks 3 dB above its input. The
      // fast coder stays within 0.6 dB on crowded speech and takes less time. Noise substitution
      // and intensity stereo do not preserve the waveform either.
      for (name, value) in [("aac_coder", "fast"), ("aac_pns", "0"), ("aac_is", "0")] {
        unsafe av_dict_set(&options, name, value, 0)
      }
    }
    try check(
      unsafe avcodec_open2(context, codec, &options), "open the encoder", settings.codec.rawValue)
  }

  /// Encodes the next interleaved samples, in any number. Samples that do not fill a packet wait
  /// for the next call.
  package mutating func encode(_ samples: Span<Float>) throws(FFmpegError) -> [EncodedPacket] {
    for index in 0..<samples.count { waiting.append(samples[index]) }
    var packets: [EncodedPacket] = []
    var first = 0
    while waiting.count - first >= 2 * packetLength {
      packets += try encodeFrame(first, packetLength)
      first += 2 * packetLength
    }
    waiting.removeFirst(first)
    return packets
  }

  /// Flushes the encoder and returns the remaining packets.
  package mutating func finish() throws(FFmpegError) -> [EncodedPacket] {
    let name = settings.codec.rawValue
    var packets: [EncodedPacket] = []
    if waiting.count >= 2 { packets += try encodeFrame(0, waiting.count / 2) }
    waiting = []
    try check(unsafe avcodec_send_frame(context, nil), "finish the sound", name)
    packets += try unsafe EncodedPacket.take(from: context, "encode sound", name)
    return packets
  }

  private mutating func encodeFrame(
    _ first: Int, _ count: Int
  ) throws(FFmpegError) -> [EncodedPacket] {
    let name = settings.codec.rawValue
    let raw = unsafe frame.raw
    unsafe raw.pointee.format = context.pointee.sample_fmt.rawValue
    unsafe raw.pointee.nb_samples = CInt(count)
    unsafe raw.pointee.sample_rate = context.pointee.sample_rate
    unsafe av_channel_layout_default(&raw.pointee.ch_layout, CInt(settings.channelCount))
    defer { frame.clear() }
    try check(unsafe av_frame_get_buffer(raw, 0), "take memory for sound", name)
    unsafe raw.pointee.pts = position
    fill(first, count)
    try check(unsafe avcodec_send_frame(context, raw), "encode sound", name)
    position +|= Int64(count)
    return try unsafe EncodedPacket.take(from: context, "encode sound", name)
  }

  /// Copies `count` waiting samples per channel, starting at element `first`, into the frame.
  private func fill(_ first: Int, _ count: Int) {
    let format = unsafe context.pointee.sample_fmt
    for channel in 0..<settings.channelCount {
      let isPlanar = format == AV_SAMPLE_FMT_FLTP
      let plane = unsafe frame.raw.pointee.extended_data[isPlanar ? channel : 0]
      let (start, step) = isPlanar ? (0, 1) : (channel, settings.channelCount)
      if format == AV_SAMPLE_FMT_S32 {
        unsafe plane?.withMemoryRebound(to: Int32.self, capacity: count * step) { plane in
          for index in 0..<count {
            unsafe plane[start + index * step] = Self.whole(sample(first + 2 * index, channel))
          }
        }
      } else {
        unsafe plane?.withMemoryRebound(to: Float.self, capacity: count * step) { plane in
          for index in 0..<count {
            unsafe plane[start + index * step] = sample(first + 2 * index, channel)
          }
        }
      }
    }
  }

  private func sample(_ index: Int, _ channel: Int) -> Float {
    settings.channelCount == 1
      ? (waiting[index] + waiting[index + 1]) / 2 : waiting[index + channel]
  }

  /// Rounds to 24 bits, in the upper bits of 32.
  private static func whole(_ sample: Float) -> Int32 {
    let scaled = (Double(sample) * 8_388_608).rounded(.toNearestOrEven)
    return Int32(min(8_388_607, max(-8_388_608, scaled))) << 8
  }
}
