package import TesseraSystem

/// Decodes the voices of several mixes that are made at the same time: what is heard in more than
/// one of them, however loud, is decoded once.
///
/// Mixes go on together: none is more than a sheet, about a second, ahead of another, so that what
/// is decoded need not be kept for long. So each has to be made on a thread of its own, until it is
/// complete or let go.
package final class VoiceSupply: Sendable {
  /// What is heard in a mix.
  package struct Mix: Sendable {
    /// The voices.
    let voices: [VoiceSource]
    /// The length of the timeline.
    let sampleCount: Int64
    /// What of it is kept; nil is all of it.
    let splices: SoundCut?
    /// Where it is noted what is decoded for the voice at its place; there may be fewer.
    let notes: [VoiceNote]

    /// `voices` on a timeline of `sampleCount` samples, of which `splices` are kept.
    package init(
      _ voices: [VoiceSource], sampleCount: Int64, splices: SoundCut? = nil,
      notes: [VoiceNote] = []
    ) {
      (self.voices, self.sampleCount, self.notes) = (voices, sampleCount, notes)
      self.splices = splices
    }
  }

  /// Blocks in a sheet, and its samples of each channel.
  static let blockCount = 47
  static let sheetLength = blockCount * Soundtrack.blockLength

  /// Sheets that a mix may be ahead of another.
  private static let lead = 1

  let mixes: [Mix]
  /// The number of the first sheet that is made.
  let firstSheet: Int
  let cancellation: Cancellation
  /// The voices of each mix, in their order.
  let voices: [[SharedVoice]]
  /// All voices, each once.
  private let all: [SharedVoice]
  /// The sheet that each mix takes next; more than any once it takes none.
  private let upcoming: Monitor<[Int]>

  private struct Key: Hashable {
    var source: VoiceSource
    let range: Range<Int64>
  }

  /// A supply of the voices of `mixes` from the sheet with the number `firstSheet` on. Nothing is opened yet.
  package init(_ mixes: [Mix], firstSheet: Int = 0, cancellation: Cancellation) {
    var known: [Key: SharedVoice] = [:]
    var all: [SharedVoice] = []
    let kept = mixes.count > 1 ? 1 + Self.lead : 1
    voices = mixes.map { mix in
      mix.voices.enumerated().map { index, source in
        let first = Int64(firstSheet * Self.sheetLength)
        var key = Key(
          source: source,
          range: Voice.range(of: source, first: first, sampleCount: mix.sampleCount))
        key.source.gain = nil
        if let voice = known[key] { return voice }
        let voice = SharedVoice(
          source, firstSheet: firstSheet, sampleCount: mix.sampleCount,
          note: mix.notes.indices.contains(index) ? mix.notes[index] : nil, kept: kept,
          cancellation: cancellation)
        known[key] = voice
        all.append(voice)
        return voice
      }
    }
    (self.mixes, self.all, self.cancellation) = (mixes, all, cancellation)
    self.firstSheet = firstSheet
    upcoming = Monitor(Array(repeating: firstSheet, count: mixes.count))
  }

  /// How many samples, per channel, came out of decoders for all mixes.
  package var decodedSamples: Int { all.reduce(0) { $0 + $1.report.decodedSamples } }

  /// Waits until the others are near enough for any mix to take the sheet with that number.
  func wait(forSheet number: Int) {
    upcoming.wait { $0.allSatisfy { $0 >= number - Self.lead } ? () : nil }
  }

  /// Notes that a mix has taken all sheets before `number`.
  func advance(_ mix: Int, to number: Int) { upcoming.update { $0[mix] = number } }

  /// Notes that a mix takes no more.
  package func leave(_ mix: Int) { advance(mix, to: .max) }
}
