import CTesseraFFmpeg
package import TesseraPixels
package import TesseraTimeline

/// The settings of a video encoder.
package struct VideoEncoderSettings: Hashable, Sendable, Codable {
  /// libav*'s name of the encoder: `libx264`.
  package var encoder: String
  /// The encoder's preset, between fast and small; `nil` is the encoder's default.
  package var preset: String?
  /// The constant quality, on the encoder's own scale; `nil` is the encoder's default.
  package var quality: Int?
  /// Additional options of the encoder, by name.
  package var options: [String: String]
  /// The size of the canvas; width and height are even.
  package var size: PixelSize
  package var frameRate: FrameRate
  /// True if keyframes occur only on request and every ``keyframeInterval`` frames, and never at
  /// scene cuts.
  package var placesAllKeyframes = false

  /// Creates settings; the defaults are libx264, veryfast, quality 23.
  package init(
    encoder: String = "libx264", preset: String? = "veryfast", quality: Int? = 23,
    options: [String: String] = [:], size: PixelSize, frameRate: FrameRate
  ) {
    (self.encoder, self.preset, self.quality) = (encoder, preset, quality)
    (self.options, self.size, self.frameRate) = (options, size, frameRate)
  }

  /// Returns the valid constant qualities of `encoder`; `nil` if unknown.
  package static func qualities(of encoder: String) -> ClosedRange<Int>? {
    VideoEncoderProfile.named(encoder).qualities
  }

  /// True if equal pictures produce equal bytes, in segments or in one piece. Otherwise the output
  /// is rendered as one segment, and repeated renders may differ.
  package var isRepeatable: Bool { VideoEncoderProfile.named(encoder).isRepeatable }

  /// The encoders that are both in the profile table and in the installed libraries, sorted.
  package static var knownEncoders: [String] {
    VideoEncoderProfile.names.filter { unsafe avcodec_find_encoder_by_name($0) != nil }
  }

  /// Returns a hint if `name` is a hardware encoder or the name of a codec: the problem and the
  /// encoder to choose instead. Returns `nil` for other names.
  package static func problem(ofEncoder name: String) -> String? {
    let hardware = ["_nvenc", "_vaapi", "_qsv", "_amf", "_v4l2m2m", "_vulkan", "_videotoolbox"]
    if hardware.contains(where: name.hasSuffix) {
      return "\(name) is an encoder of the machine's hardware, which workers may not open: give "
        + "\(codecs[String(name.prefix { $0 != "_" })] ?? "libx264")."
    }
    guard let encoder = codecs[name.lowercased()] else { return nil }
    return "names a codec, \(name): give its encoder, \(encoder)."
  }

  /// The default encoders by codec names.
  private static let codecs = [
    "h264": "libx264", "h.264": "libx264", "x264": "libx264", "avc": "libx264",
    "h265": "libx265", "h.265": "libx265", "x265": "libx265", "hevc": "libx265",
    "av1": "libsvtav1", "vp9": "libvpx-vp9", "vp8": "libvpx",
  ]

  /// The formats of files that can contain the stream.
  package var containers: Set<OutputContainer> { VideoEncoderProfile.named(encoder).containers }

  /// True if players accept the stream in fragments. Encoders outside of the profile table are not
  /// checked.
  package var streams: Bool { encoder != "mpeg4" && containers.contains(.mp4) }

  /// The maximum number of frames between keyframes for static content: 30 s. With
  /// ``placesAllKeyframes`` 5 s, for HTTP Live Streaming.
  package var keyframeInterval: Int { interval(seconds: placesAllKeyframes ? 5 : 30) }

  /// The maximum number of frames between keyframes for moving content: 10 s. With
  /// ``placesAllKeyframes`` 5 s.
  package var movingKeyframeInterval: Int { interval(seconds: placesAllKeyframes ? 5 : 10) }

  private func interval(seconds: Int) -> Int {
    max(1, frameRate.firstFrame(showing: MediaTime(seconds: seconds)))
  }

  /// The number of frames encoded before a segment's first one; at most ``keyframeInterval``.
  package var lead: Int { min(keyframeInterval, VideoEncoderProfile.named(encoder).overlap.before) }

  /// The number of frames encoded after a segment's last one; at most ``keyframeInterval``.
  package var follow: Int {
    min(keyframeInterval, VideoEncoderProfile.named(encoder).overlap.after)
  }

  /// The number of encoder threads. The number changes the output, so it depends on the canvas
  /// only. Each thread costs about 10 MB at 1080p, and decoding and composition keep other
  /// processors busy.
  package var threads: Int {
    size.width * size.height >= 640 * 360 ? 2 : 1
  }
}
