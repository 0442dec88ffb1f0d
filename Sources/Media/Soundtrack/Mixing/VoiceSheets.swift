import TesseraSystem
import TesseraTimeline

/// Sums voices, each under its gain, block by block, of which many are decoded at the same time.
///
/// Every voice fills a sheet of its own, about a second, on one of as many threads as there are
/// cores; the sheets are then summed in the voices' order, so that the same voices make the same
/// mix on any machine. Memory does not grow with the length of the mix.
final class VoiceSheets: MixedBlocks {
  private let supply: VoiceSupply
  private let number: Int
  private var voices: [Sheet]
  private var mix: [Float] = []
  private var taken = 0
  private var sheet: Int

  /// The mix with that number of `supply`.
  init(_ supply: VoiceSupply, _ number: Int) {
    (self.supply, self.number, sheet) = (supply, number, supply.firstSheet)
    voices = zip(supply.voices[number], supply.mixes[number].voices).map { voice, source in
      let start = source.start.sample(atRate: Soundtrack.sampleRate)
      return Sheet(
        voice: voice, gain: source.gain.map { GainCurve.Follower($0, origin: start) })
    }
  }

  deinit { leave() }

  /// Lets other mixes of the supply go on without this one.
  func leave() { supply.leave(number) }

  /// What each voice contributed so far, in the order in which they were given.
  var reports: [VoiceReport] { voices.map(\.voice.report) }

  /// Replaces `block`, interleaved stereo of ``Soundtrack/blockLength``, by the next block of the
  /// mix.
  func next(into block: inout [Float]) {
    if taken == mix.count { fill() }
    block.replaceSubrange(block.indices, with: mix[taken..<taken + block.count])
    taken += block.count
  }

  /// Mixes the next sheets.
  private func fill() {
    let sheet = sheet
    supply.wait(forSheet: sheet)
    let heard = voices.indices.filter { voices[$0].voice.isHeard(in: sheet) }
    if heard.count > 1 {
      _ = WorkerThreads.map(
        heard.map { voices[$0].voice }, name: "voices", cancellation: supply.cancellation
      ) { voice -> Bool? in
        _ = voice.sheet(sheet)
        return nil
      }
    }
    mix.removeAll(keepingCapacity: true)
    mix.append(contentsOf: repeatElement(0, count: 2 * VoiceSupply.sheetLength))
    for index in heard { voices[index].add(sheet, to: &mix) }
    (taken, self.sheet) = (0, sheet + 1)
    supply.advance(number, to: sheet + 1)
  }

  /// One voice of the mix.
  private struct Sheet {
    let voice: SharedVoice
    var gain: GainCurve.Follower?

    /// Adds what is heard in a sheet to `mix`.
    mutating func add(_ number: Int, to mix: inout [Float]) {
      let samples = voice.sheet(number)
      guard gain != nil else {
        for index in samples.indices { mix[index] += samples[index] }
        return
      }
      let first = Int64(number * VoiceSupply.sheetLength)
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
