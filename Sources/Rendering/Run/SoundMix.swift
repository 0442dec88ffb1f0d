import TesseraMedia
import TesseraPlan
import TesseraProof
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Makes the sound of a rendition: a file beside its segments.
struct SoundMix: Sendable {
  private let rendition: RenditionPlan
  private let path: String
  /// What it is made without.
  private let losses: [CrashLoss]
  private let isStrict: Bool
  private let input: SoundInput
  private let notes: [VoiceNote]

  /// The sound of `rendition` without `losses`, which becomes the file at `path`; `note` says where
  /// it is noted that a track is being decoded, nil where it is not.
  init(
    _ rendition: RenditionPlan, path: String, without losses: [CrashLoss], isStrict: Bool,
    note: (TrackID) -> (note: CrashNote, slot: Int)?
  ) {
    (self.rendition, self.path) = (rendition, path)
    (self.losses, self.isStrict) = (losses, isStrict)
    let input = rendition.plan.soundInput(without: losses)
    self.input = input
    notes = input.voices.compactMap { voice in
      note(voice.id).map { VoiceNote($0, track: $1, origin: input.origin.nanoseconds) }
    }
  }

  /// Makes all of `mixes` at the same time: a voice that several have is decoded once. `tell` hears
  /// how much is done, 0...1. Returns why each was not made, if so.
  static func make(
    _ mixes: [SoundMix], cancellation: Cancellation, _ tell: @escaping @Sendable (Double) -> Void
  ) -> [RenderError?] {
    let voices = mixes.map { mix in
      VoiceSupply.Mix(
        mix.input.voices.map(\.source), sampleCount: mix.input.mixedCount,
        splices: mix.input.splices, notes: mix.notes)
    }
    let supply = VoiceSupply(voices, cancellation: cancellation)
    let begun = Monitor(0)
    let done = Monitor([Double](repeating: 0, count: mixes.count))
    let failures = Monitor([RenderError?](repeating: nil, count: mixes.count))
    let threads = WorkerThreads(count: mixes.count, name: "sound") {
      let number = begun.withLock { number in
        defer { number += 1 }
        return number
      }
      do throws(RenderError) {
        try mixes[number].make(Soundtrack(number, of: supply), cancellation) { part in
          let sum = done.withLock { done in
            done[number] = part
            return done.reduce(0, +)
          }
          tell(sum / Double(mixes.count))
        }
      } catch {
        failures.withLock { $0[number] = error }
      }
    }
    threads.join()
    return failures.withLock { $0 }
  }

  /// Encodes `soundtrack` into the file, which lands unless somebody asked to stop; `tell` hears how
  /// much of it is done, 0...1.
  private func make(
    _ soundtrack: Soundtrack, _ cancellation: Cancellation, _ tell: (Double) -> Void
  ) throws(RenderError) {
    let refused: Loss?
    do throws(FFmpegError) {
      refused = try encode(soundtrack, cancellation, tell)
    } catch {
      throw RenderError(error, output: path)
    }
    if let refused { throw .refusing(refused) }
  }

  /// Returns the loss for which the file does not land, if there is one.
  private func encode(
    _ soundtrack: Soundtrack, _ cancellation: Cancellation, _ tell: (Double) -> Void
  ) throws(FFmpegError) -> Loss? {
    let encoder = try SoundtrackEncoder(soundtrack, input.encoder)
    var writer = try PacketFileWriter.create(
      path,
      head: PacketFile.Head(
        digest: rendition.soundtrackDigest(losses: losses), segment: nil,
        range: 0..<input.sampleCount, parameters: try encoder.parameters()))
    while let packets = try encoder.next() {
      for packet in packets { try writer.append(packet) }
      tell(Double(encoder.sampleCount) / Double(max(1, input.sampleCount)))
    }
    guard !cancellation.isCancelled else { return nil }
    let voices = rendition.plan.voices
    let reports = Dictionary(
      uniqueKeysWithValues: zip(input.voices.map(\.number), encoder.voiceReports))
    let all = voices.indices.map { reports[$0] ?? VoiceReport() }
    let lost = zip(voices, all).lazy.flatMap { $1.losses(of: $0) }.first
    if isStrict, let lost { return lost }
    try writer.finish(
      note: SoundNote(voices: all, crashes: losses, levels: encoder.envelope.levels).text)
    return nil
  }
}
