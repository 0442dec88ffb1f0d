import TesseraCodecs
package import TesseraMessages
package import TesseraPixels
package import TesseraSoundtrack
import TesseraTimeline

/// The inspection of a recording: its contents and problems, found by reading all packets and
/// decoding one picture and one audio block per stream.
package struct RecordingInspection: Sendable, Codable {
  package var path: String
  /// The container's short name, such as `matroska,webm`.
  package var container: String
  /// The size of the file in bytes.
  package var byteCount: Int64
  /// The title stored in the file; `nil` for none.
  package var title: String?
  /// The container timestamp at the start of the file, in seconds.
  package var startTime: Double
  /// The time from the file's start to the end of its last picture or sound, in seconds.
  package var duration: Double
  package var video: [VideoTrack]
  package var audio: [AudioTrack]
  /// The loudness of the audio streams; `nil` if it was not measured.
  package var levels: [LoudnessLevel]?
  /// Warnings, one sentence each.
  package var warnings: [UserMessage]

  /// The loudness of one audio stream.
  package struct LoudnessLevel: Sendable, Codable {
    /// The index of the stream in the container.
    package var stream: Int
    /// Loudness, noise floor, peak and clipping.
    package var levels: VoiceLevels
    /// The drift of the sample clock against the timestamps in parts per million; positive if it is
    /// slow.
    package var driftPartsPerMillion: Double
    /// The decoding error as one sentence; `nil` if there was none.
    package var failure: UserMessage?
  }

  /// A gap in a track, in seconds from the file's start.
  package struct Gap: Sendable, Codable {
    /// The start of the gap, in seconds from the file's start.
    package var start: Double
    /// The duration of the gap in seconds.
    package var duration: Double
  }

  /// A video stream.
  package struct VideoTrack: Sendable, Codable {
    /// The index of the stream in the container.
    package var stream: Int
    /// The codec, such as `vp8`.
    package var codec: String
    /// True if this stream is rendered.
    package var isUsed: Bool
    /// The coded size in pixels.
    package var size: PixelSize
    /// The sample aspect ratio of coded pixels.
    package var sampleAspectRatio: SampleAspectRatio
    /// The clockwise rotation for display, in degrees.
    package var rotation: Int
    /// True if the picture is mirrored for display.
    package var isMirrored: Bool
    /// The pixel format's libav* name; `nil` if it is unknown.
    package var pixelFormat: String?
    /// The color space, as tagged or assumed.
    package var color: ColorSpace
    package var isInterlaced: Bool
    package var packetCount: Int
    /// The time of the first picture, in seconds from the file's start.
    package var start: Double
    /// The end of the last picture, in seconds from the file's start.
    package var end: Double
    /// The distances between pictures; `nil` for fewer than two.
    package var intervals: IntervalStatistics?
    /// The distances between keyframes; `nil` for fewer than two.
    package var keyframeIntervals: IntervalStatistics?
    /// The number of keyframes.
    package var keyframeCount: Int
    /// The gaps that are longer than 0.5 s and three times the median distance.
    package var gaps: [Gap]
  }

  /// An audio stream.
  package struct AudioTrack: Sendable, Codable {
    /// The index of the stream in the container.
    package var stream: Int
    /// The codec, such as `opus`.
    package var codec: String
    /// True if this stream is mixed.
    package var isUsed: Bool
    /// The sample rate in Hz.
    package var sampleRate: Int
    package var channels: Int
    package var packetCount: Int
    /// The time of the first sample, in seconds from the file's start.
    package var start: Double
    /// The end of the last sample, in seconds from the file's start.
    package var end: Double
    /// The drift of the sample clock against the timestamps, which also time the pictures, in parts
    /// per million; positive if it is slow. `nil` if the packets do not state their sample counts.
    package var driftPartsPerMillion: Double?
    /// The gaps that are longer than 0.5 s and three times the median distance.
    package var gaps: [Gap]
  }

  /// Statistics of the distances between consecutive times, in seconds.
  package struct IntervalStatistics: Sendable, Codable {
    /// The shortest distance.
    package var minimum: Double
    /// The median distance.
    package var median: Double
    /// The longest distance.
    package var maximum: Double
    /// True if all distances are equal within 2 ms, the rounding of containers.
    package var isConstant: Bool

    /// Creates statistics of ascending times. Returns `nil` for fewer than two.
    init?(_ times: [MediaTime]) {
      let sorted = zip(times.dropFirst(), times).map { ($0 - $1).seconds }.sorted()
      guard let first = sorted.first, let last = sorted.last else { return nil }
      (minimum, median, maximum) = (first, sorted[sorted.count / 2], last)
      isConstant = last - first <= 0.002
    }
  }
}
