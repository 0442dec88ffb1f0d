import TesseraSystem

/// Sums voices at unity gain, block by block, of which many are decoded at the same time.
///
/// Every voice fills a sheet of its own, about a second, on one of as many threads as there are
/// cores; the sheets are then summed in the voices' order, so that the same voices make the same
/// mix on any machine. Memory does not grow with the length of the mix.
final class VoiceSheets {
  private let sheets: [Sheet]
  private let cancellation: Cancellation
  private var mix: [Float] = []
  private var (taken, position): (Int, Int64) = (0, 0)

  /// Blocks in a sheet.
  private static let blockCount = 47

  /// What is decoded for each of `sources` is noted in the one of `notes` at its place.
  init(
    _ sources: [VoiceSource], sampleCount: Int64, notes: [VoiceNote], cancellation: Cancellation
  ) {
    self.cancellation = cancellation
    sheets = sources.enumerated().map { index, source in
      Sheet(
        Voice(
          source, sampleCount: sampleCount,
          note: notes.indices.contains(index) ? notes[index] : nil, cancellation: cancellation))
    }
  }

  /// What each voice contributed so far, in the order in which they were given.
  var reports: [VoiceReport] { sheets.map(\.voice.report) }

  /// Replaces `block`, interleaved stereo of ``Soundtrack/blockLength``, by the next block of the
  /// mix.
  func next(into block: inout [Float]) {
    if taken == mix.count { fill() }
    block.replaceSubrange(block.indices, with: mix[taken..<taken + block.count])
    taken += block.count
  }

  /// Mixes the next sheets.
  private func fill() {
    let position = position
    let heard = sheets.filter { !$0.voice.hasEnded }
    if heard.count > 1 {
      _ = WorkerThreads.map(heard, name: "voices", cancellation: cancellation) { sheet -> Bool? in
        sheet.fill(from: position)
        return nil
      }
    } else {
      heard.first?.fill(from: position)
    }
    mix.removeAll(keepingCapacity: true)
    mix.append(contentsOf: repeatElement(0, count: 2 * Self.blockCount * Soundtrack.blockLength))
    for sheet in heard { sheet.add(to: &mix) }
    (taken, self.position) = (0, position + Int64(mix.count / 2))
  }

  /// One voice, and what is heard of it in the second that is mixed.
  private final class Sheet: @unchecked Sendable {
    // Sendable because one thread at a time fills it, and it is looked at when none does.
    let voice: Voice
    private var samples: [Float] = []
    private var block: [Float] = []

    init(_ voice: Voice) { self.voice = voice }

    /// Decodes what is heard from `position` on.
    func fill(from position: Int64) {
      samples.removeAll(keepingCapacity: true)
      var position = position
      for _ in 0..<VoiceSheets.blockCount {
        block.removeAll(keepingCapacity: true)
        block.append(contentsOf: repeatElement(0, count: 2 * Soundtrack.blockLength))
        voice.mix(into: &block, at: position)
        samples += block
        position += Int64(Soundtrack.blockLength)
      }
    }

    /// Adds the samples, as many as `mix` has, or none where nothing was decoded.
    func add(to mix: inout [Float]) {
      for index in samples.indices { mix[index] += samples[index] }
      samples.removeAll(keepingCapacity: true)
    }
  }
}
