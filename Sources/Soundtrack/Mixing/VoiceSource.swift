public import TesseraTimeline

/// One stream of sound in a file and its place in the mix.
public struct VoiceSource: Hashable, Sendable, Codable {
  /// The file.
  public var path: String
  /// The number of the stream in it.
  public var stream: Int
  /// Whether the file's own times begin anew within it.
  public var isChained: Bool
  /// The file's beginning in its own clock; the same for all of a file's streams.
  public var zero: MediaTime
  /// Where the file's beginning lies on the timeline; negative where it is cut off.
  public var start: MediaTime
  /// When the voice is heard, on the timeline. It is opened at the beginning and closed at the end
  /// of it.
  public var interval: TimeInterval
  /// How loud it is over the time of its file, counted from ``zero``; nil for as it is.
  public var gain: GainCurve?

  /// Stream `stream` of the file at `path`, whose beginning `zero` lies at `start`.
  public init(
    path: String, stream: Int, isChained: Bool = false, zero: MediaTime, start: MediaTime,
    interval: TimeInterval, gain: GainCurve? = nil
  ) {
    (self.path, self.stream, self.isChained) = (path, stream, isChained)
    (self.zero, self.start, self.interval) = (zero, start, interval)
    self.gain = gain
  }
}
