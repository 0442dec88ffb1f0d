package import TesseraTimeline

/// The metadata of a block of decoded audio.
package struct SoundBlockInfo: Hashable, Sendable {
  /// The number of the packet that the block was decoded from; `nil` if that packet had a block
  /// before.
  package var packet: Int?
  /// The time of the first sample relative to the start of the file, by the track's clock; `nil` if
  /// the packet determines none.
  package var time: MediaTime?
  /// The duration that the decoder trimmed from the start of the packet.
  package var skipped = ExactTime.zero
  /// The concealment method if the block fills a gap before its packet; `nil` if the block was
  /// decoded.
  package var making: Concealment?
  /// The number of samples per channel.
  package var sampleCount: Int
  /// The sample rate in Hz, above 0.
  package var sampleRate: Int

  /// A method of concealing lost packets.
  package enum Concealment: Hashable, Sendable {
    /// Extrapolated from the audio before (packet loss concealment).
    case concealed
    /// Decoded from the redundant copy in the next packet (forward error correction).
    case recovered
  }

  /// Creates the metadata of `sampleCount` samples at `sampleRate` Hz that start at `time`.
  package init(packet: Int? = nil, time: MediaTime? = nil, sampleCount: Int, sampleRate: Int) {
    (self.packet, self.time) = (packet, time)
    (self.sampleCount, self.sampleRate) = (sampleCount, sampleRate)
  }
}
