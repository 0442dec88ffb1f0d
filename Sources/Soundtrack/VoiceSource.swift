public import TesseraMedia
public import TesseraTimeline

/// The sound of one track of a file and its place in the mix.
public struct VoiceSource: Hashable, Sendable, Codable {
  /// The sound.
  public var sound: SoundSource
  /// Where the file's beginning lies on the timeline; negative where it is cut off.
  public var start: MediaTime
  /// When the voice is heard, on the timeline. It is opened at the beginning and closed at the end
  /// of it.
  public var interval: TimeInterval

  /// `sound`, whose file begins at `start`.
  public init(_ sound: SoundSource, start: MediaTime, interval: TimeInterval) {
    (self.sound, self.start, self.interval) = (sound, start, interval)
  }
}
