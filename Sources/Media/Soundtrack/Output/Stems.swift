package import TesseraCodecs
package import TesseraSystem

/// Writes one person's voices of a mix into a file of their own, for an editor of sound: files of
/// the same mix begin together and are equally long.
///
/// The voices have the gain that they have in the mix; what is too loud alone is limited.
package enum Stems {
  /// Writes `voices` on a timeline of `sampleCount` samples, of which `splices` are kept, to `path` and returns what each came to.
  ///
  /// - Throws: ``FFmpegError`` where the file cannot be written, `CancellationError` once the
  ///   cancellation was asked for.
  @discardableResult
  package static func write(
    _ voices: [VoiceSource], sampleCount: Int64, splices: SoundCut? = nil, to path: String,
    _ container: OutputContainer,
    _ settings: SoundEncoderSettings, tags: [String: String] = [:], cancellation: Cancellation
  ) throws -> [VoiceReport] {
    var soundtrack = Soundtrack(
      voices, sampleCount: sampleCount, splices: splices, cancellation: cancellation)
    var writer = try SoundFileWriter.create(
      path, container, settings, tags: tags, cancellation: cancellation)
    var block: [Float] = []
    while try soundtrack.next(into: &block) { try writer.write(block) }
    try writer.finish()
    return soundtrack.voiceReports
  }
}
