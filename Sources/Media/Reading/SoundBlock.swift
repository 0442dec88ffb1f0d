public import TesseraTimeline

/// What is known of a decoded stretch of sound without looking at its samples.
public struct SoundBlock: Hashable, Sendable {
  /// The time of its first sample in the file's own clock; nil where the file gives none.
  public var time: MediaTime?
  /// The number of its samples, per channel.
  public var sampleCount: Int
  /// Samples a second, above 0.
  public var sampleRate: Int

  /// A block of `sampleCount` samples at `sampleRate` that begins at `time`.
  public init(time: MediaTime?, sampleCount: Int, sampleRate: Int) {
    self.time = time
    self.sampleCount = sampleCount
    self.sampleRate = sampleRate
  }
}
