import TesseraSystem
import TesseraTimeline

/// A mix of voices, each under its gain, that decodes many voices at the same time.
///
/// Each voice fills a sheet (about a second) on one of as many threads as there are cores. The
/// sheets are then summed in the order of the voices, so the result is the same on every machine.
/// Memory does not grow with the length of the mix.
final class ParallelVoiceMixer: MixSource {
  private let pool: VoiceDecodePool
  /// The index of the mix in `pool`.
  private let number: Int
  private var voices: [MixedVoice]
  /// The interleaved samples of the current sheet; those before `taken` were delivered.
  private var mix: [Float] = []
  private var taken = 0
  /// The number of the next sheet.
  private var sheet: Int

  /// Creates the mix with index `number` of `pool`.
  init(_ pool: VoiceDecodePool, _ number: Int) {
    (self.pool, self.number, sheet) = (pool, number, pool.firstSheet)
    voices = zip(pool.voices[number], pool.mixes[number].voices).map { voice, source in
      let start = source.start.sample(atRate: Soundtrack.sampleRate)
      return MixedVoice(
        voice: voice, gain: source.gain.map { GainCurve.Applier($0, origin: start) })
    }
  }

  deinit { leave() }

  /// Leaves the pool, so that its other mixes no longer wait for this one.
  func leave() { pool.leave(number) }

  /// The reports on the voices so far, in the order of the voices.
  var reports: [VoiceReport] { voices.map(\.voice.report) }

  /// Replaces `block`, interleaved stereo of ``Soundtrack/blockLength`` samples, by the next block
  /// of the mix.
  func next(into block: inout [Float]) {
    if taken == mix.count { fill() }
    block.replaceSubrange(block.indices, with: mix[taken..<taken + block.count])
    taken += block.count
  }

  /// Decodes and mixes the next sheet of all voices.
  private func fill() {
    let sheet = sheet
    pool.wait(forSheet: sheet)
    let heard = voices.indices.filter { voices[$0].voice.isHeard(in: sheet) }
    if heard.count > 1 {
      _ = ThreadGroup.map(
        heard.map { voices[$0].voice }, name: "voices", cancellation: pool.cancellation
      ) { voice -> Bool? in
        _ = voice.sheet(sheet)
        return nil
      }
    }
    mix.removeAll(keepingCapacity: true)
    mix.append(contentsOf: repeatElement(0, count: 2 * VoiceDecodePool.sheetLength))
    for index in heard { voices[index].add(sheet, to: &mix) }
    (taken, self.sheet) = (0, sheet + 1)
    pool.advance(number, to: sheet + 1)
  }

  /// A voice of the mix with its gain in this mix.
  private struct MixedVoice {
    let voice: SharedVoiceDecoder
    var gain: GainCurve.Applier?

    /// Adds sheet `number` of the voice to `mix`.
    mutating func add(_ number: Int, to mix: inout [Float]) {
      let samples = voice.sheet(number)
      guard gain != nil else {
        for index in samples.indices { mix[index] += samples[index] }
        return
      }
      let first = Int64(number * VoiceDecodePool.sheetLength)
      for start in stride(from: 0, to: samples.count / 2, by: Soundtrack.blockLength) {
        let block = first + Int64(start)..<first + Int64(start + Soundtrack.blockLength)
        let heard = voice.range.clamped(to: block)
        guard !heard.isEmpty else { continue }
        let place = 2 * Int(heard.lowerBound - first)
        gain?.add(
          Array(samples[place..<place + 2 * heard.count]), to: &mix, from: place,
          at: heard.lowerBound)
      }
    }
  }
}
