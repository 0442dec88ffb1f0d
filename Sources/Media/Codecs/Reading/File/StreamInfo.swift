import CTesseraFFmpeg
package import TesseraPixels
package import TesseraTimeline

/// What a container says of one of its streams.
package struct StreamInfo: Hashable, Sendable, Codable {
  /// What a stream carries.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// Pictures.
    case video
    /// Sound.
    case audio
    /// Anything else: subtitles, data, attachments, cover pictures.
    case other
  }

  /// The facts about a stream of pictures.
  package struct Video: Hashable, Sendable, Codable {
    /// The size in coded pixels, before rotation and sample aspect ratio; zero where unknown.
    package var size: PixelSize
    /// The shape of a pixel; square where the file says nothing.
    package var sampleAspectRatio: SampleAspectRatio
    /// Whether that is the container's word, which counts more than that of the pictures.
    package var hasOwnAspectRatio: Bool
    /// libav*'s name of the pixel format, such as `yuv420p10le`, or nil.
    package var pixelFormat: String?
    /// The colors as tagged, with the defaults for what is not.
    package var color: ColorSpace
    /// How those colors stand for light, as tagged: high dynamic range, wide primaries.
    package var light: Light
    /// The Dolby Vision profile that the container declares; pictures show the base layer. Nil
    /// where it declares none.
    package var dolbyVisionProfile: Int?
    /// How the coded pixels have to be turned for display.
    package var orientation: Orientation
    /// Clockwise degrees to turn by for display, 0..<360, for messages.
    package var rotation: Int
    /// Whether it is mirrored for display, for messages.
    package var isMirrored: Bool
    /// The average frame rate that the container claims, 0/0 where it does not.
    package var averageFrameRate: Ratio
    /// Whether the container says that the pictures are field pairs.
    package var isInterlaced: Bool
  }

  /// The facts about a stream of sound.
  package struct Audio: Hashable, Sendable, Codable {
    /// Samples a second.
    package var sampleRate: Int
    /// The number of channels.
    package var channels: Int
    /// True if the container or codec states where the channels' loudspeakers are.
    package var hasLayout = true

    /// True if the channels are microphones rather than loudspeakers: more than two, without a layout.
    package var isUnmixed: Bool { !hasLayout && channels > 2 }
  }

  /// Its place in the container.
  package var index: Int
  /// What it carries.
  package var kind: Kind
  /// libav*'s name of the codec: `vp8`.
  package var codec: String
  /// Whether this build has a decoder for it.
  package var isDecodable: Bool
  /// Whether the container marks it as the one to play.
  package var isDefault: Bool
  /// The unit of its times, in seconds.
  package var timeBase: Ratio
  /// The language that the container names, such as `eng`; nil where it names none.
  package var language: String?
  /// The title that the container gives it; nil where it gives none.
  package var title: String?
  /// Set for pictures.
  package var video: Video?
  /// Set for sound.
  package var audio: Audio?
}

extension StreamInfo {
  /// A stream of which only its kind and the unit of its times are known.
  package init(_ kind: Kind, timeBase: Ratio) {
    self.init(
      index: 0, kind: kind, codec: "", isDecodable: true, isDefault: false, timeBase: timeBase)
  }

  init(_ stream: UnsafeMutablePointer<AVStream>, index: Int) {
    let parameters = unsafe stream.pointee.codecpar
    let codec = unsafe parameters?.pointee.codec_id ?? AV_CODEC_ID_NONE
    let disposition = unsafe stream.pointee.disposition
    self.index = index
    self.codec = unsafe String(cString: avcodec_get_name(codec))
    self.isDecodable = unsafe avcodec_find_decoder(codec) != nil
    self.isDefault = disposition & AV_DISPOSITION_DEFAULT != 0
    self.timeBase = Ratio(unsafe stream.pointee.time_base)
    self.language = unsafe Self.tag("language", stream)
    self.title = unsafe Self.tag("title", stream)
    switch unsafe parameters?.pointee.codec_type {
    case AVMEDIA_TYPE_VIDEO where disposition & AV_DISPOSITION_ATTACHED_PIC == 0:
      self.kind = .video
      self.video = unsafe parameters.map { unsafe Video(stream, $0) }
    case AVMEDIA_TYPE_AUDIO:
      self.kind = .audio
      self.audio = unsafe parameters.map { unsafe Audio($0) }
    default:
      self.kind = .other
    }
  }
}

extension StreamInfo {
  /// What the container says of the stream under that name, at most 200 characters.
  private static func tag(_ name: String, _ stream: UnsafeMutablePointer<AVStream>) -> String? {
    guard let entry = unsafe av_dict_get(stream.pointee.metadata, name, nil, 0),
      let value = unsafe entry.pointee.value
    else { return nil }
    return unsafe String(String(cString: value).prefix(200))
  }
}

extension StreamInfo.Video {
  fileprivate init(
    _ stream: UnsafeMutablePointer<AVStream>, _ parameters: UnsafeMutablePointer<AVCodecParameters>
  ) {
    let format = AVPixelFormat(rawValue: unsafe parameters.pointee.format)
    let (width, height) = unsafe (parameters.pointee.width, parameters.pointee.height)
    let matrix = unsafe cff_display_matrix(stream)
    self.size = PixelSize(width: Int(width), height: Int(height))
    self.sampleAspectRatio = unsafe SampleAspectRatio(
      av_guess_sample_aspect_ratio(nil, stream, nil))
    self.hasOwnAspectRatio = unsafe stream.pointee.sample_aspect_ratio.num > 0
    self.pixelFormat = unsafe av_get_pix_fmt_name(format).map { unsafe String(cString: $0) }
    self.color = unsafe ColorSpace(
      space: parameters.pointee.color_space, range: parameters.pointee.color_range,
      format: format, height: Int(height))
    self.light = unsafe Light(
      transfer: parameters.pointee.color_trc, primaries: parameters.pointee.color_primaries,
      space: parameters.pointee.color_space)
    let profile = unsafe cff_dolby_vision_profile(stream)
    self.dolbyVisionProfile = profile < 0 ? nil : Int(profile)
    self.orientation = unsafe Orientation(displayMatrix: matrix)
    self.rotation = unsafe Self.rotation(matrix)
    self.isMirrored = orientation.isMirrorImage
    self.averageFrameRate = unsafe Ratio(stream.pointee.avg_frame_rate)
    let fieldOrder = unsafe parameters.pointee.field_order
    self.isInterlaced = ![AV_FIELD_UNKNOWN, AV_FIELD_PROGRESSIVE].contains(fieldOrder)
  }

  /// Has pictures turned by `degrees` clockwise, whose container cannot say so: 90, 180 or 270.
  mutating func turn(by degrees: Int) {
    guard orientation == .upright else { return }
    rotation = degrees
    orientation = degrees == 90 ? .rotated90 : degrees == 180 ? .rotated180 : .rotated270
  }

  /// Takes over what a decoded picture says, which counts more than the container's word.
  mutating func learn(from frame: borrowing Frame) {
    size = frame.size
    pixelFormat = unsafe av_get_pix_fmt_name(frame.pixelFormat).map { unsafe String(cString: $0) }
    color = PictureConverter.color(frame, self)
    light = PictureConverter.light(frame, self)
    if !hasOwnAspectRatio {
      sampleAspectRatio = unsafe SampleAspectRatio(frame.raw.pointee.sample_aspect_ratio)
    }
  }

  private static func rotation(_ matrix: UnsafePointer<Int32>?) -> Int {
    guard let matrix = unsafe matrix else { return 0 }
    let degrees = unsafe av_display_rotation_get(matrix)
    guard degrees.isFinite else { return 0 }
    return (Int(Int64(saturating: (-degrees).rounded())) % 360 + 360) % 360
  }
}

extension StreamInfo.Audio {
  fileprivate init(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    self.sampleRate = Int(unsafe parameters.pointee.sample_rate)
    self.channels = Int(unsafe parameters.pointee.ch_layout.nb_channels)
    self.hasLayout = unsafe parameters.pointee.ch_layout.order != AV_CHANNEL_ORDER_UNSPEC
  }
}
