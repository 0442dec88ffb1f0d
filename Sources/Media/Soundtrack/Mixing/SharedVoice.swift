import Synchronization
import TesseraSystem

/// A voice as it was recorded, for all mixes that hear it at the same time: decoded once, about a
/// second at a time.
final class SharedVoice: Sendable {
  /// Where it is heard, in samples of the timeline.
  let range: Range<Int64>
  private let state: Mutex<State>

  /// The voice of `source`, whose gain does not matter, from a sheet on; the last `kept` sheets can be had.
  init(
    _ source: VoiceSource, firstSheet: Int, sampleCount: Int64, note: VoiceNote?, kept: Int,
    cancellation: Cancellation
  ) {
    var plain = source
    plain.gain = nil
    let first = Int64(firstSheet * VoiceSupply.sheetLength)
    range = Voice.range(of: source, first: first, sampleCount: sampleCount)
    let voice = Voice(
      plain, first: first, sampleCount: sampleCount, note: note, cancellation: cancellation)
    state = Mutex(State(voice: voice, count: firstSheet, kept: kept))
  }

  /// What came of it so far.
  var report: VoiceReport { state.withLock { $0.voice.report } }

  /// Whether there may be something to hear in a sheet.
  func isHeard(in number: Int) -> Bool {
    state.withLock { $0.count > number || !$0.voice.hasEnded }
  }

  /// The interleaved samples of a sheet, ``VoiceSupply/sheetLength`` of each channel; none once the
  /// voice has ended.
  func sheet(_ number: Int) -> [Float] { state.withLock { $0.sheet(number) } }

  private struct State {
    let voice: Voice
    let kept: Int
    /// The last sheets, and the number of the next one.
    var sheets: [[Float]] = []
    var count: Int
    private var block: [Float] = []

    init(voice: Voice, count: Int, kept: Int) {
      (self.voice, self.count, self.kept) = (voice, count, kept)
    }

    mutating func sheet(_ number: Int) -> [Float] {
      while count <= number { decode() }
      return sheets[sheets.count - (count - number)]
    }

    private mutating func decode() {
      var samples: [Float] = []
      var position = Int64(count * VoiceSupply.sheetLength)
      for _ in 0..<(voice.hasEnded ? 0 : VoiceSupply.blockCount) {
        block.removeAll(keepingCapacity: true)
        block.append(contentsOf: repeatElement(0, count: 2 * Soundtrack.blockLength))
        voice.mix(into: &block, at: position)
        samples += block
        position += Int64(Soundtrack.blockLength)
      }
      if sheets.count == kept { sheets.removeFirst() }
      sheets.append(samples)
      count += 1
    }
  }
}
