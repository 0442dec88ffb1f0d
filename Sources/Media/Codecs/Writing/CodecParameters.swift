import CTesseraFFmpeg
package import Foundation
package import TesseraPixels
package import TesseraTimeline

/// The codec parameters of one encoded stream as a value: everything that a file header states
/// about it.
package struct CodecParameters: Hashable, Sendable, Codable {
  /// libav*'s name of the codec: `h264`.
  package var codec: String
  /// The time base of the packets, in seconds.
  package var timeBase: Ratio
  /// The decoder configuration (extradata), such as parameter sets.
  package var extradata: Data
  /// The constant frame rate of video; `nil` for audio.
  package var frameRate: Ratio?
  /// The numeric fields of `AVCodecParameters` that are not 0, by name.
  var numbers: [String: Int64]
  /// The sample entry type in MP4 files, such as `hvc1`; `nil` leaves the choice to the muxer.
  package var tag: String?

  /// The number of frames by which decoding must precede presentation, according to the encoder.
  var delay: Int { Int(numbers["video_delay"] ?? 0) }
  /// The number of priming samples at the start of audio.
  package var priming: Int { Int(numbers["initial_padding"] ?? 0) }
  /// The coded size of the pictures; zero for audio.
  package var size: PixelSize {
    PixelSize(width: Int(numbers["width"] ?? 0), height: Int(numbers["height"] ?? 0))
  }
  /// True if pixels are square or no aspect ratio is stated.
  var hasSquarePixels: Bool {
    numbers["sample_aspect_num"] ?? 1 == numbers["sample_aspect_den"] ?? 1
  }
  /// The number of audio channels; 0 for video.
  var channelCount: Int { Int(numbers["channels"] ?? 0) }
}

extension CodecParameters {
  private typealias Parameters = UnsafeMutablePointer<AVCodecParameters>

  /// Reads the parameters of an open encoder.
  @unsafe init(_ encoder: UnsafeMutablePointer<AVCodecContext>) throws(FFmpegError) {
    var parameters: Parameters? = unsafe avcodec_parameters_alloc()
    guard let raw = unsafe parameters else { throw .outOfMemory("describe a stream", "no file") }
    defer { unsafe avcodec_parameters_free(&parameters) }
    try check(
      unsafe avcodec_parameters_from_context(raw, encoder), "describe a stream", "no file")
    let base = unsafe encoder.pointee.time_base
    let rate = unsafe encoder.pointee.framerate
    unsafe self.init(raw, timeBase: Ratio(base), frameRate: rate.num > 0 ? Ratio(rate) : nil)
  }

  private init(_ raw: Parameters, timeBase: Ratio, frameRate: Ratio?) {
    let value = unsafe raw.pointee
    unsafe codec = String(cString: avcodec_get_name(value.codec_id))
    self.timeBase = timeBase
    self.frameRate = frameRate
    let count = max(0, unsafe Int(value.extradata_size))
    extradata = unsafe value.extradata.map { unsafe Data(bytes: $0, count: count) } ?? Data()
    numbers = unsafe [
      "format": Int64(value.format), "bit_rate": value.bit_rate,
      "bits_per_coded_sample": Int64(value.bits_per_coded_sample),
      "bits_per_raw_sample": Int64(value.bits_per_raw_sample),
      "profile": Int64(value.profile), "level": Int64(value.level),
      "width": Int64(value.width), "height": Int64(value.height),
      "sample_aspect_num": Int64(value.sample_aspect_ratio.num),
      "sample_aspect_den": Int64(value.sample_aspect_ratio.den),
      "color_range": Int64(value.color_range.rawValue),
      "color_primaries": Int64(value.color_primaries.rawValue),
      "color_trc": Int64(value.color_trc.rawValue),
      "color_space": Int64(value.color_space.rawValue),
      "chroma_location": Int64(value.chroma_location.rawValue),
      "video_delay": Int64(value.video_delay), "sample_rate": Int64(value.sample_rate),
      "channels": Int64(cff_parameters_channels(raw)),
      "channel_mask": Int64(bitPattern: cff_parameters_channel_mask(raw)),
      "block_align": Int64(value.block_align), "frame_size": Int64(value.frame_size),
      "initial_padding": Int64(value.initial_padding),
      "trailing_padding": Int64(value.trailing_padding),
      "seek_preroll": Int64(value.seek_preroll),
    ].filter { $0.value != 0 }
  }

  /// Fills in the libav* parameters of an output stream.
  @unsafe func apply(
    to raw: UnsafeMutablePointer<AVCodecParameters>, path: String
  ) throws(FFmpegError) {
    guard let descriptor = unsafe avcodec_descriptor_get_by_name(codec) else {
      throw FFmpegError(
        code: CFF_ERROR_INVALID_DATA, operation: "write a stream of \(codec)", path: path)
    }
    let number = { (name: String) in CInt(truncatingIfNeeded: numbers[name] ?? 0) }
    let unsigned = { (name: String) in UInt32(truncatingIfNeeded: numbers[name] ?? 0) }
    unsafe raw.pointee.codec_id = descriptor.pointee.id
    unsafe raw.pointee.codec_type = descriptor.pointee.type
    unsafe raw.pointee.format = number("format")
    unsafe raw.pointee.bit_rate = numbers["bit_rate"] ?? 0
    unsafe raw.pointee.bits_per_coded_sample = number("bits_per_coded_sample")
    unsafe raw.pointee.bits_per_raw_sample = number("bits_per_raw_sample")
    unsafe raw.pointee.profile = number("profile")
    unsafe raw.pointee.level = number("level")
    unsafe raw.pointee.width = number("width")
    unsafe raw.pointee.height = number("height")
    unsafe raw.pointee.sample_aspect_ratio = AVRational(
      num: number("sample_aspect_num"), den: max(1, number("sample_aspect_den")))
    unsafe raw.pointee.color_range = AVColorRange(unsigned("color_range"))
    unsafe raw.pointee.color_primaries = AVColorPrimaries(unsigned("color_primaries"))
    unsafe raw.pointee.color_trc = AVColorTransferCharacteristic(unsigned("color_trc"))
    unsafe raw.pointee.color_space = AVColorSpace(unsigned("color_space"))
    unsafe raw.pointee.chroma_location = AVChromaLocation(unsigned("chroma_location"))
    unsafe raw.pointee.video_delay = number("video_delay")
    unsafe raw.pointee.sample_rate = number("sample_rate")
    unsafe raw.pointee.block_align = number("block_align")
    unsafe raw.pointee.frame_size = number("frame_size")
    unsafe raw.pointee.initial_padding = number("initial_padding")
    unsafe raw.pointee.trailing_padding = number("trailing_padding")
    unsafe raw.pointee.seek_preroll = number("seek_preroll")
    if let channels = numbers["channels"], channels > 0 {
      let mask = UInt64(bitPattern: numbers["channel_mask"] ?? 0)
      try check(unsafe cff_set_channels(raw, mask, CInt(channels)), "add a stream", path)
    }
    if !extradata.isEmpty {
      let result = unsafe extradata.withUnsafeBytes { bytes in
        unsafe cff_set_extradata(
          raw, bytes.bindMemory(to: UInt8.self).baseAddress, CInt(bytes.count))
      }
      try check(result, "add a stream", path)
    }
  }
}

extension VideoEncoder {
  /// Returns the codec parameters of the encoder's stream.
  package borrowing func parameters() throws(FFmpegError) -> CodecParameters {
    var parameters = try unsafe CodecParameters(context)
    parameters.tag = VideoEncoderProfile.named(name).tag
    return parameters
  }
}

extension AudioEncoder {
  /// Returns the codec parameters of the encoder's stream.
  package borrowing func parameters() throws(FFmpegError) -> CodecParameters {
    try unsafe CodecParameters(context)
  }
}
