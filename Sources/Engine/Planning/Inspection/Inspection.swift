import TesseraCodecs
package import TesseraPixels
import TesseraPlan
package import TesseraSoundtrack
import TesseraTimeline

/// What a recording holds and what is wrong with it, found by reading all of its packets and
/// decoding one picture and one block of sound.
package struct Inspection: Sendable, Codable {
  /// The file.
  package var path: String
  /// The container's short name: `matroska,webm`.
  package var container: String
  /// Its size in bytes.
  package var byteCount: Int64
  /// The title that it carries, or nil.
  package var title: String?
  /// The file's clock at its beginning, in seconds.
  package var startTime: Double
  /// From its beginning to the end of its last picture or sound, in seconds.
  package var duration: Double
  /// The streams of pictures.
  package var video: [VideoTrack]
  /// The streams of sound.
  package var audio: [AudioTrack]
  /// How loud the streams of sound are, where that was asked for.
  package var levels: [Level]?
  /// What is noteworthy or wrong, a sentence each.
  package var warnings: [String]

  /// How loud one voice is.
  package struct Level: Sendable, Codable {
    /// The stream's number in the container.
    package var stream: Int
    /// Its loudness, noise, peak and clipping.
    package var levels: VoiceLevels
    /// By how much its clock differs from its times, in parts per million; above 0 where it is
    /// slow.
    package var driftPartsPerMillion: Double
    /// Why it could not be heard, as one sentence; nil where it was.
    package var failure: String?
  }

  /// A hole in a track, in seconds from the file's beginning.
  package struct Gap: Sendable, Codable {
    /// Where the hole begins.
    package var start: Double
    /// How long it is.
    package var duration: Double
  }

  /// A stream of pictures.
  package struct VideoTrack: Sendable, Codable {
    /// Its number in the container.
    package var stream: Int
    /// The codec: `vp8`.
    package var codec: String
    /// Whether this is the stream that is rendered.
    package var isUsed: Bool
    /// The coded size.
    package var size: PixelSize
    /// The shape of a coded pixel.
    package var sampleAspectRatio: SampleAspectRatio
    /// Degrees that the picture is turned clockwise by for display.
    package var rotation: Int
    /// Whether it is mirrored for display.
    package var isMirrored: Bool
    /// libav*'s name of the pixel format.
    package var pixelFormat: String?
    /// The colors, as tagged or assumed.
    package var color: ColorSpace
    /// Whether the pictures are field pairs.
    package var isInterlaced: Bool
    /// The number of packets.
    package var packetCount: Int
    /// The first picture's time, in seconds from the file's beginning.
    package var start: Double
    /// The last picture's end, in seconds from the file's beginning.
    package var end: Double
    /// How the pictures follow each other.
    package var intervals: Intervals?
    /// How the keyframes follow each other; nil for fewer than two.
    package var keyframeIntervals: Intervals?
    /// The number of keyframes.
    package var keyframeCount: Int
    /// Holes of more than half a second, and of three times the usual distance.
    package var gaps: [Gap]
  }

  /// A stream of sound.
  package struct AudioTrack: Sendable, Codable {
    /// Its number in the container.
    package var stream: Int
    /// The codec: `opus`.
    package var codec: String
    /// Whether this is the stream that is mixed.
    package var isUsed: Bool
    /// Samples a second.
    package var sampleRate: Int
    /// The number of channels.
    package var channels: Int
    /// The number of packets.
    package var packetCount: Int
    /// The first sample's time, in seconds from the file's beginning.
    package var start: Double
    /// The last sample's end, in seconds from the file's beginning.
    package var end: Double
    /// By how much the clock that counts its samples differs from its times, which are the
    /// pictures', in parts per million; above 0 where it is slow. Nil where the packets do not say
    /// how many samples they hold.
    package var driftPartsPerMillion: Double?
    /// Holes of more than half a second, and of three times the usual distance.
    package var gaps: [Gap]
  }

  /// Distances from one time to the next, in seconds.
  package struct Intervals: Sendable, Codable {
    /// The shortest.
    package var minimum: Double
    /// The middle one.
    package var median: Double
    /// The longest.
    package var maximum: Double
    /// Whether they are all the same, within two milliseconds: the rounding of containers.
    package var isConstant: Bool

    /// Of ascending times; nil for fewer than two.
    init?(_ times: [MediaTime]) {
      let sorted = zip(times.dropFirst(), times).map { ($0 - $1).seconds }.sorted()
      guard let first = sorted.first, let last = sorted.last else { return nil }
      (minimum, median, maximum) = (first, sorted[sorted.count / 2], last)
      isConstant = last - first <= 0.002
    }
  }
}
