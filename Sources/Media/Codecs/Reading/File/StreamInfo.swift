import CTesseraFFmpeg
package import TesseraPixels
package import TesseraTimeline

/// The container's description of one stream.
package struct StreamInfo: Hashable, Sendable, Codable {
  /// The media type of a stream.
  package enum Kind: String, Hashable, Sendable, Codable {
    case video
    case audio
    /// Anything else: subtitles, data, attachments, cover pictures.
    case other
  }

  /// The facts about a video stream.
  package struct Video: Hashable, Sendable, Codable {
    /// The size in coded pixels, before rotation and sample aspect ratio; zero if unknown.
    package var size: PixelSize
    /// The sample aspect ratio; square if the file states none.
    package var sampleAspectRatio: SampleAspectRatio
    /// True if the container states the aspect ratio, which takes precedence over that of the
    /// pictures.
    package var hasOwnAspectRatio: Bool
    /// libav*'s name of the pixel format, such as `yuv420p10le`; `nil` if unknown.
    package var pixelFormat: String?
    /// The tagged color matrix and range, with defaults for missing tags.
    package var color: ColorSpace
    /// The tagged transfer function and primaries: high dynamic range, wide gamut.
    package var light: Colorimetry
    /// The Dolby Vision profile that the container declares; `nil` if it declares none. The base
    /// layer is shown.
    package var dolbyVisionProfile: Int?
    /// The rotation and mirroring that display requires.
    package var orientation: Orientation
    /// The clockwise rotation for display in degrees, `0..<360`, for messages.
    package var rotation: Int
    /// True if display requires mirroring, for messages.
    package var isMirrored: Bool
    /// The average frame rate that the container claims; 0/0 if it claims none.
    package var averageFrameRate: Ratio
    /// True if the container declares the pictures as interlaced.
    package var isInterlaced: Bool
  }

  /// The facts about an audio stream.
  package struct Audio: Hashable, Sendable, Codable {
    /// The sample rate in Hz.
    package var sampleRate: Int
    package var channels: Int
    /// True if the container or codec states the channels' speaker positions.
    package var hasLayout = true

    /// True if the channels are separate microphones: more than two, without speaker positions.
    package var isUnmixed: Bool { !hasLayout && channels > 2 }
  }

  /// The index of the stream in the container.
  package var index: Int
  package var kind: Kind
  /// libav*'s name of the codec: `vp8`.
  package var codec: String
  /// True if the linked libavcodec has a decoder for the codec.
  package var isDecodable: Bool
  /// True if the container marks the stream as the default.
  package var isDefault: Bool
  /// The unit of the stream's timestamps, in seconds.
  package var timeBase: Ratio
  /// The language tag, such as `eng`; `nil` if there is none.
  package var language: String?
  /// The title tag; `nil` if there is none.
  package var title: String?
  /// The facts about video; `nil` for other streams.
  package var video: Video?
  /// The facts about audio; `nil` for other streams.
  package var audio: Audio?
}

extension StreamInfo {
  /// Creates a description of which only the kind and the time base are known.
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
  /// Returns a metadata tag of the stream, cut to 200 characters.
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
    self.light = unsafe Colorimetry(
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

  /// Sets a rotation of `degrees` clockwise (90, 180 or 270), for pictures in a container that
  /// cannot state it.
  mutating func turn(by degrees: Int) {
    guard orientation == .upright else { return }
    rotation = degrees
    orientation = degrees == 90 ? .rotated90 : degrees == 180 ? .rotated180 : .rotated270
  }

  /// Adopts the facts of a decoded picture, which take precedence over the container's.
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
