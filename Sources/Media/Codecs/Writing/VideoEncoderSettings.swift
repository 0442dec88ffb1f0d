import CTesseraFFmpeg
package import TesseraPixels
package import TesseraTimeline

/// What a video encoder is asked for.
package struct VideoEncoderSettings: Hashable, Sendable, Codable {
  /// libav*'s name of the encoder: `libx264`.
  package var encoder: String
  /// The encoder's own name for a point between fast and small; nil leaves its default.
  package var preset: String?
  /// The constant quality asked for, in the encoder's own scale; nil leaves its default.
  package var quality: Int?
  /// Further options of the encoder, by name.
  package var options: [String: String]
  /// The canvas; both sides even.
  package var size: PixelSize
  /// The constant frame rate.
  package var frameRate: FrameRate
  /// Whether there are keyframes only where they are asked for and every ``keyframeInterval``, and
  /// none where the encoder finds that a new scene begins.
  package var placesAllKeyframes = false

  /// The defaults for a canvas of that size and rate: libx264, veryfast, quality 23.
  package init(
    encoder: String = "libx264", preset: String? = "veryfast", quality: Int? = 23,
    options: [String: String] = [:], size: PixelSize, frameRate: FrameRate
  ) {
    (self.encoder, self.preset, self.quality) = (encoder, preset, quality)
    (self.options, self.size, self.frameRate) = (options, size, frameRate)
  }

  /// The constant qualities that this encoder takes; nil where that is not known.
  package static func qualities(of encoder: String) -> ClosedRange<Int>? {
    VideoEncoderProfile.named(encoder).qualities
  }

  /// Whether the same pictures make the same bytes again, in pieces or in one; otherwise what is
  /// rendered is one piece, and another render of it may differ.
  package var isRepeatable: Bool { VideoEncoderProfile.named(encoder).isRepeatable }

  /// The encoders that Tessera knows and the libraries here have, in alphabetical order.
  package static var knownEncoders: [String] {
    VideoEncoderProfile.names.filter { unsafe avcodec_find_encoder_by_name($0) != nil }
  }

  /// Why nothing is encoded by what is called `name`, and what to name instead; nil where something
  /// may be.
  package static func problem(ofEncoder name: String) -> String? {
    let hardware = ["_nvenc", "_vaapi", "_qsv", "_amf", "_v4l2m2m", "_vulkan", "_videotoolbox"]
    if hardware.contains(where: name.hasSuffix) {
      return "\(name) is an encoder of the machine's hardware, which workers may not open: give "
        + "\(codecs[String(name.prefix { $0 != "_" })] ?? "libx264")."
    }
    guard let encoder = codecs[name.lowercased()] else { return nil }
    return "names a codec, \(name): give its encoder, \(encoder)."
  }

  /// The encoders that are meant by the names of codecs.
  private static let codecs = [
    "h264": "libx264", "h.264": "libx264", "x264": "libx264", "avc": "libx264",
    "h265": "libx265", "h.265": "libx265", "x265": "libx265", "hevc": "libx265",
    "av1": "libsvtav1", "vp9": "libvpx-vp9", "vp8": "libvpx",
  ]

  /// The formats of files that can carry the stream.
  package var containers: Set<OutputContainer> { VideoEncoderProfile.named(encoder).containers }

  /// Whether players take the stream in fragments. Nothing is known of encoders that are not in the
  /// table.
  package var streams: Bool { encoder != "mpeg4" && containers.contains(.mp4) }

  /// The frames from one keyframe to the next at most: thirty seconds, where nothing moves; five
  /// where all keyframes are placed, for HTTP Live Streaming.
  package var keyframeInterval: Int { interval(seconds: placesAllKeyframes ? 5 : 30) }

  /// The same where something moves: ten seconds of a file.
  package var movingKeyframeInterval: Int { interval(seconds: placesAllKeyframes ? 5 : 10) }

  private func interval(seconds: Int) -> Int {
    max(1, frameRate.firstFrame(showing: MediaTime(seconds: seconds)))
  }

  /// How many frames before its first one are encoded for a segment; at most ``keyframeInterval``.
  package var lead: Int { min(keyframeInterval, VideoEncoderProfile.named(encoder).overlap.before) }

  /// How many frames after its last one are encoded for a segment; at most ``keyframeInterval``.
  package var follow: Int {
    min(keyframeInterval, VideoEncoderProfile.named(encoder).overlap.after)
  }

  /// Encoder threads. Their number changes the bytes, so it depends on the canvas only; each costs
  /// some ten megabytes at 1080p, and decoding and composing keep further processors busy.
  package var threads: Int {
    size.width * size.height >= 640 * 360 ? 2 : 1
  }
}
