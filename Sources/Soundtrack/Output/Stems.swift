public import TesseraMedia
public import TesseraSystem

/// Writes each voice of a mix into a file of its own, all beginning at 0 and equally long, for an
/// editor of sound.
///
/// The voices have the gain that they have in the mix; what is too loud alone is limited.
public enum Stems {
  /// Writes `voices` of `sampleCount` samples to `paths`, one for each, and returns what each came
  /// to. Files are written one after the other.
  ///
  /// - Throws: ``FFmpegError`` where a file cannot be written, `CancellationError` once the
  ///   cancellation was asked for.
  public static func write(
    _ voices: [VoiceSource], sampleCount: Int64, to paths: [String], _ container: SoundContainer,
    _ settings: SoundEncoderSettings, tags: [String: String] = [:], cancellation: Cancellation
  ) throws -> [VoiceReport] {
    try zip(voices, paths).map { voice, path in
      var soundtrack = Soundtrack(
        [voice], sampleCount: sampleCount, cancellation: cancellation)
      var writer = try SoundFileWriter.create(
        path, container, settings, tags: tags, cancellation: cancellation)
      var block: [Float] = []
      while try soundtrack.next(into: &block) { try writer.write(block) }
      try writer.finish()
      return soundtrack.voiceReports[0]
    }
  }
}
