import TesseraCodecs
import TesseraSystem

/// Sums voices at unity gain, block by block.
///
/// Memory does not grow with the length of the mix: every voice is decoded as far as the block at
/// hand needs. The order of the sum is that of the voices, so it is repeatable.
struct Mixer {
  private let voices: [Voice]
  private var position: Int64 = 0

  /// What is decoded for each of `sources` is noted in the one of `notes` at its place.
  init(
    _ sources: [VoiceSource], sampleCount: Int64, notes: [VoiceNote] = [],
    cancellation: Cancellation
  ) {
    voices = sources.enumerated().map { index, source in
      Voice(
        source, sampleCount: sampleCount, note: notes.indices.contains(index) ? notes[index] : nil,
        cancellation: cancellation)
    }
  }

  /// What each voice contributed so far, in the order in which they were given.
  var reports: [VoiceReport] { voices.map(\.report) }

  /// Replaces `block`, interleaved stereo, by the next block of the mix.
  mutating func next(into block: inout [Float]) {
    for index in block.indices { block[index] = 0 }
    for voice in voices { voice.mix(into: &block, at: position) }
    position += Int64(block.count / 2)
  }
}
