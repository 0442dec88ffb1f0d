package import TesseraTimeline

/// What is known of a decoded block of sound without looking at its samples.
package struct SoundBlock: Hashable, Sendable {
  /// The packet that it comes from; nil where that has put out others before.
  package var packet: Int?
  /// The time of its first sample by its track's clock, relative to the file's beginning; nil where
  /// the packet says nothing of it.
  package var time: MediaTime?
  /// How much of its packet's beginning the decoder cut off.
  package var skipped = ExactTime.zero
  /// How it was made up for what is missing before its packet; nil where it was decoded.
  package var making: Making?
  /// The number of its samples, per channel.
  package var sampleCount: Int
  /// Samples a second, above 0.
  package var sampleRate: Int

  /// How sound is made up for packets that were lost.
  package enum Making: Hashable, Sendable {
    /// By going on with what came before.
    case concealed
    /// From a copy of it in the packet that follows.
    case recovered
  }

  /// A block of `sampleCount` samples at `sampleRate` that begins at `time`.
  package init(packet: Int? = nil, time: MediaTime?, sampleCount: Int, sampleRate: Int) {
    (self.packet, self.time) = (packet, time)
    (self.sampleCount, self.sampleRate) = (sampleCount, sampleRate)
  }
}
