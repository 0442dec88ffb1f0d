package import TesseraCodecs
package import TesseraSystem

/// Writes stems: one person's voices of a mix as a file of their own, for an audio editor. Stems of
/// one mix begin together and have equal lengths.
///
/// The voices have their gain in the mix. A stem that is too loud alone is limited.
package enum StemEncoder {
  /// Writes `voices` on a timeline of `sampleCount` samples, of which `splices` are kept, to
  /// `path`. Returns the reports on the voices.
  ///
  /// - Throws: ``FFmpegError`` if the file cannot be written, `CancellationError` if the
  ///   cancellation was requested.
  @discardableResult
  package static func write(
    _ voices: [VoiceSource], sampleCount: Int64, splices: SampleSelection? = nil, to path: String,
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
