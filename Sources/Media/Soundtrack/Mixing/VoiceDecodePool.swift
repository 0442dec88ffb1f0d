package import TesseraSystem

/// Decodes the voices of several mixes that are rendered at the same time. A voice that several
/// mixes use is decoded once, even with different gains.
///
/// The mixes advance together: none is more than a sheet (about a second) ahead of another, which
/// bounds the buffered sheets. So each mix has to be pulled on a thread of its own until it is
/// complete or has left.
package final class VoiceDecodePool: Sendable {
  /// The voices and the length of one mix.
  package struct MixVoices: Sendable {
    let voices: [VoiceSource]
    /// The length of the timeline in samples.
    let sampleCount: Int64
    /// The part of the timeline that is kept; `nil` for all of it.
    let splices: SampleSelection?
    /// The crash notes of the voices with the same indices; there may be fewer notes than voices.
    let notes: [VoiceCrashNote]

    /// Creates a mix of `voices` on a timeline of `sampleCount` samples, of which `splices` are
    /// kept.
    package init(
      _ voices: [VoiceSource], sampleCount: Int64, splices: SampleSelection? = nil,
      notes: [VoiceCrashNote] = []
    ) {
      (self.voices, self.sampleCount, self.notes) = (voices, sampleCount, notes)
      self.splices = splices
    }
  }

  /// The number of blocks in a sheet.
  static let blockCount = 47
  /// The number of samples per channel in a sheet.
  static let sheetLength = blockCount * Soundtrack.blockLength

  /// The number of sheets by which a mix may be ahead of another.
  private static let lead = 1

  let mixes: [MixVoices]
  /// The number of the first sheet that is rendered.
  let firstSheet: Int
  let cancellation: Cancellation
  /// The voices of each mix, in the order of ``MixVoices/voices``.
  let voices: [[SharedVoiceDecoder]]
  /// All distinct voices.
  private let all: [SharedVoiceDecoder]
  /// The number of the next sheet of each mix; `Int.max` if the mix has left.
  private let upcoming: ConditionLock<[Int]>

  /// The identity of a shared voice: its source without gain, and the samples that are heard.
  private struct VoiceKey: Hashable {
    var source: VoiceSource
    let range: Range<Int64>
  }

  /// Creates a pool for `mixes` that starts with sheet `firstSheet`. No file is opened yet.
  package init(_ mixes: [MixVoices], firstSheet: Int = 0, cancellation: Cancellation) {
    var known: [VoiceKey: SharedVoiceDecoder] = [:]
    var all: [SharedVoiceDecoder] = []
    let kept = mixes.count > 1 ? 1 + Self.lead : 1
    voices = mixes.map { mix in
      mix.voices.enumerated().map { index, source in
        let first = Int64(firstSheet * Self.sheetLength)
        var key = VoiceKey(
          source: source,
          range: Voice.range(of: source, first: first, sampleCount: mix.sampleCount))
        key.source.gain = nil
        if let voice = known[key] { return voice }
        let voice = SharedVoiceDecoder(
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
    upcoming = ConditionLock(Array(repeating: firstSheet, count: mixes.count))
  }

  /// The number of samples per channel that all decoders returned, for all mixes.
  package var decodedSamples: Int { all.reduce(0) { $0 + $1.report.decodedSamples } }

  /// Waits until no mix is more than ``lead`` sheets behind sheet `number`.
  func wait(forSheet number: Int) {
    upcoming.wait { $0.allSatisfy { $0 >= number - Self.lead } ? () : nil }
  }

  /// Records that mix `mix` has taken all sheets before `number`.
  func advance(_ mix: Int, to number: Int) { upcoming.update { $0[mix] = number } }

  /// Records that mix `mix` takes no more sheets, so that others do not wait for it.
  package func leave(_ mix: Int) { advance(mix, to: .max) }
}
