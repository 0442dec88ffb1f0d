import TesseraSystem

/// Sums voices block by block.
///
/// Memory does not grow with the length of the mix: each voice is decoded only as far as the
/// current block needs. Voices are summed in a fixed order, so the result is reproducible.
struct Mixer {
  private let voices: [Voice]
  /// The next sample of the timeline.
  private var position: Int64 = 0

  /// Creates a mixer of `sources` on a timeline of `sampleCount` samples. While a voice is decoded,
  /// its note, if any, records it for crash attribution.
  init(
    _ sources: [(voice: VoiceSource, note: VoiceCrashNote?)], sampleCount: Int64,
    cancellation: Cancellation
  ) {
    voices = sources.map { voice, note in
      Voice(voice, sampleCount: sampleCount, note: note, cancellation: cancellation)
    }
  }

  /// Replaces `block`, interleaved stereo, by the next block of the mix.
  mutating func next(into block: inout [Float]) {
    for index in block.indices { block[index] = 0 }
    for voice in voices { voice.mix(into: &block, at: position) }
    position += Int64(block.count / 2)
  }
}
