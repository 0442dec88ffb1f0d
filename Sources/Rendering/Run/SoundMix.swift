import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraPlanning
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Makes the sound of a rendition: a file beside its segments.
struct SoundMix {
  let rendition: RenditionPlan
  let path: String
  /// What it is made without.
  let losses: [CrashLoss]
  let isStrict: Bool
  let cancellation: Cancellation
  /// Where it is noted that a track is being decoded; nil where it is not.
  let note: (TrackID) -> (note: CrashNote, slot: Int)?

  /// Mixes and encodes the sound into its file, which lands unless somebody asked to stop; `tell`
  /// hears how much of it is done, 0...1.
  func make(_ tell: (Double) -> Void) throws(RenderError) {
    let refused: Loss?
    do throws(FFmpegError) {
      refused = try encode(tell)
    } catch {
      throw RenderError(error, output: path)
    }
    if let refused { throw .refusing(refused) }
  }

  /// Returns the loss for which the file does not land, if there is one.
  private func encode(_ tell: (Double) -> Void) throws(FFmpegError) -> Loss? {
    let input = rendition.plan.soundInput(without: losses)
    let notes = input.voices.compactMap { voice in
      note(voice.id).map { VoiceNote($0, track: $1, origin: input.origin.nanoseconds) }
    }
    let encoder = try SoundtrackEncoder(
      Soundtrack(
        input.voices.map(\.source), sampleCount: input.sampleCount, notes: notes,
        cancellation: cancellation), input.encoder)
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
    try writer.finish(note: SoundNote(voices: all, crashes: losses).text)
    return nil
  }
}
