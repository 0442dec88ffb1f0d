import Synchronization
import TesseraSystem

/// A voice as recorded, shared by all mixes that use it at the same time. The voice is decoded
/// once, one sheet (about a second) at a time.
final class SharedVoiceDecoder: Sendable {
  /// The samples of the timeline in which the voice is heard.
  let range: Range<Int64>
  private let state: Mutex<State>

  /// Creates the voice of `source`, without its gain, from sheet `firstSheet` on. The last `kept`
  /// sheets stay available.
  init(
    _ source: VoiceSource, firstSheet: Int, sampleCount: Int64, note: VoiceCrashNote?, kept: Int,
    cancellation: Cancellation
  ) {
    var plain = source
    plain.gain = nil
    let first = Int64(firstSheet * VoiceDecodePool.sheetLength)
    range = Voice.range(of: source, first: first, sampleCount: sampleCount)
    let voice = Voice(
      plain, first: first, sampleCount: sampleCount, note: note, cancellation: cancellation)
    state = Mutex(State(voice: voice, kept: kept, count: firstSheet))
  }

  /// The report on the voice so far.
  var report: VoiceReport { state.withLock { $0.voice.report } }

  /// True if sheet `number` may contain sound.
  func isHeard(in number: Int) -> Bool {
    state.withLock { $0.count > number || !$0.voice.hasEnded }
  }

  /// Returns the interleaved samples of sheet `number`, ``VoiceDecodePool/sheetLength`` for each
  /// channel, or an empty array after the voice's end. Decodes up to that sheet if necessary.
  func sheet(_ number: Int) -> [Float] { state.withLock { $0.sheet(number) } }

  private struct State {
    let voice: Voice
    /// The number of decoded sheets to keep.
    let kept: Int
    /// The last decoded sheets.
    var blocks: [[Float]] = []
    /// The number of the next sheet to decode.
    var count: Int
    var block: [Float] = []

    mutating func sheet(_ number: Int) -> [Float] {
      while count <= number { decode() }
      return blocks[blocks.count - (count - number)]
    }

    private mutating func decode() {
      var samples: [Float] = []
      var position = Int64(count * VoiceDecodePool.sheetLength)
      for _ in 0..<(voice.hasEnded ? 0 : VoiceDecodePool.blockCount) {
        block.removeAll(keepingCapacity: true)
        block.append(contentsOf: repeatElement(0, count: 2 * Soundtrack.blockLength))
        voice.mix(into: &block, at: position)
        samples += block
        position += Int64(Soundtrack.blockLength)
      }
      if blocks.count == kept { blocks.removeFirst() }
      blocks.append(samples)
      count += 1
    }
  }
}
