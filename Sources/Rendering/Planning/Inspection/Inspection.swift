import TesseraMedia
public import TesseraPixels
public import TesseraSoundtrack
import TesseraTimeline

/// What a recording holds and what is wrong with it, found by reading all of its packets and
/// decoding one picture and one block of sound.
public struct Inspection: Sendable, Codable {
  /// The file.
  public var path: String
  /// The container's short name: `matroska,webm`.
  public var container: String
  /// Its size in bytes.
  public var byteCount: Int64
  /// The title that it carries, or nil.
  public var title: String?
  /// The file's clock at its beginning, in seconds.
  public var startTime: Double
  /// From its beginning to the end of its last picture or sound, in seconds.
  public var duration: Double
  /// The streams of pictures.
  public var video: [VideoTrack]
  /// The streams of sound.
  public var audio: [AudioTrack]
  /// How loud the streams of sound are, where that was asked for.
  public var levels: [Level]?
  /// What is noteworthy or wrong, a sentence each.
  public var warnings: [String]

  /// How loud one voice is.
  public struct Level: Sendable, Codable {
    /// The stream's number in the container.
    public var stream: Int
    /// Its loudness, noise, peak and clipping.
    public var levels: VoiceLevels
    /// By how much its clock differs from its times, in parts per million; above 0 where it is
    /// slow.
    public var driftPartsPerMillion: Double
    /// Why it could not be heard, as one sentence; nil where it was.
    public var failure: String?
  }

  /// A hole in a track, in seconds from the file's beginning.
  public struct Gap: Sendable, Codable {
    /// Where the hole begins.
    public var start: Double
    /// How long it is.
    public var duration: Double
  }

  /// A stream of pictures.
  public struct VideoTrack: Sendable, Codable {
    /// Its number in the container.
    public var stream: Int
    /// The codec: `vp8`.
    public var codec: String
    /// Whether this is the stream that is rendered.
    public var isUsed: Bool
    /// The coded size.
    public var size: PixelSize
    /// The shape of a coded pixel.
    public var sampleAspectRatio: SampleAspectRatio
    /// Degrees that the picture is turned clockwise by for display.
    public var rotation: Int
    /// Whether it is mirrored for display.
    public var isMirrored: Bool
    /// libav*'s name of the pixel format.
    public var pixelFormat: String?
    /// The colors, as tagged or assumed.
    public var color: ColorSpace
    /// Whether the pictures are field pairs.
    public var isInterlaced: Bool
    /// The number of packets.
    public var packetCount: Int
    /// The first picture's time, in seconds from the file's beginning.
    public var start: Double
    /// The last picture's end, in seconds from the file's beginning.
    public var end: Double
    /// How the pictures follow each other.
    public var intervals: Intervals?
    /// How the keyframes follow each other; nil for fewer than two.
    public var keyframeIntervals: Intervals?
    /// The number of keyframes.
    public var keyframeCount: Int
    /// Holes of more than half a second, and of three times the usual distance.
    public var gaps: [Gap]
  }

  /// A stream of sound.
  public struct AudioTrack: Sendable, Codable {
    /// Its number in the container.
    public var stream: Int
    /// The codec: `opus`.
    public var codec: String
    /// Whether this is the stream that is mixed.
    public var isUsed: Bool
    /// Samples a second.
    public var sampleRate: Int
    /// The number of channels.
    public var channels: Int
    /// The number of packets.
    public var packetCount: Int
    /// The first sample's time, in seconds from the file's beginning.
    public var start: Double
    /// The last sample's end, in seconds from the file's beginning.
    public var end: Double
    /// By how much the clock that counts its samples differs from its times, which are the
    /// pictures', in parts per million; above 0 where it is slow. Nil where the packets do not say
    /// how many samples they hold.
    public var driftPartsPerMillion: Double?
    /// Holes of more than half a second, and of three times the usual distance.
    public var gaps: [Gap]
  }

  /// Distances from one time to the next, in seconds.
  public struct Intervals: Sendable, Codable {
    /// The shortest.
    public var minimum: Double
    /// The middle one.
    public var median: Double
    /// The longest.
    public var maximum: Double
    /// Whether they are all the same, within two milliseconds: the rounding of containers.
    public var isConstant: Bool

    /// Of ascending times; nil for fewer than two.
    init?(_ times: [MediaTime]) {
      let sorted = zip(times.dropFirst(), times).map { ($0 - $1).seconds }.sorted()
      guard let first = sorted.first, let last = sorted.last else { return nil }
      (minimum, median, maximum) = (first, sorted[sorted.count / 2], last)
      isConstant = last - first <= 0.002
    }
  }
}
