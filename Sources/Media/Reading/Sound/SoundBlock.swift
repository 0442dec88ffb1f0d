public import TesseraTimeline

/// What is known of a decoded block of sound without looking at its samples.
public struct SoundBlock: Hashable, Sendable {
  /// The packet that it comes from; nil where that has put out others before.
  public var packet: Int?
  /// The time of its first sample by its track's clock, relative to the file's beginning; nil where
  /// the packet says nothing of it.
  public var time: MediaTime?
  /// How much of its packet's beginning the decoder cut off.
  public var skipped = ExactTime.zero
  /// The number of its samples, per channel.
  public var sampleCount: Int
  /// Samples a second, above 0.
  public var sampleRate: Int

  /// A block of `sampleCount` samples at `sampleRate` that begins at `time`.
  public init(packet: Int? = nil, time: MediaTime?, sampleCount: Int, sampleRate: Int) {
    (self.packet, self.time) = (packet, time)
    (self.sampleCount, self.sampleRate) = (sampleCount, sampleRate)
  }
}
