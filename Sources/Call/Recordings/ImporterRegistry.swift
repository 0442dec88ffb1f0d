package import TesseraDocuments
import TesseraMessages

/// The table of importers, and the choice of the importer that reads a source.
package enum ImporterRegistry {
  /// All importers, in the order in which messages list them. On equal scores the first wins.
  package static let all: [any Importer.Type] = [
    SessionImporter.self,
    VonageImporter.self,
    TwilioImporter.self,
    SoraImporter.self,
    DailyImporter.self,
    LiveKitImporter.self,
    VideoSDKImporter.self,
    ZoomImporter.self,
    JitsiImporter.self,
    JanusImporter.self,
    ChimeImporter.self,
    RiversideImporter.self,
    CraigImporter.self,
    AgoraImporter.self,
    TRTCImporter.self,
    IVSImporter.self,
    RecallImporter.self,
    GaleneImporter.self,
    PlainFilesImporter.self,
  ]

  /// The values of `--format`.
  package static var formats: [String] { all.map { $0.format } }

  /// Reads `source` with the importer that recognizes it, or with the importer called `format`.
  ///
  /// - Throws: one sentence if `source` is no recording or is invalid.
  package static func recording(
    from source: RecordingSource, format: String? = nil
  ) throws(DocumentError) -> Recording {
    let folder = try ImporterInput(source)
    if let format {
      guard let importer = all.first(where: { $0.format == format }) else {
        let hint = format.nearest(among: formats).map { "did you mean \"\($0)\"?" }
        throw DocumentError(
          file: source.name,
          reason: "unknown \(option: "format") \"\(format)\": "
            + "\(hint ?? "the formats are \(formats.joined(separator: ", "))")")
      }
      return try importer.recording(folder)
    }
    var recording = try read(folder)
    recording.messages += folder.failures.map { "\($0) It is skipped." }
    recording.messages += AuxiliaryFileDetector.notes(folder)
    if !folder.source.isList { recording.messages += UnsupportedRecordingDetector.notes(folder) }
    recording.leftOut.formUnion(folder.playlists.parts)
    return recording
  }

  /// Reads with the importer of the highest score. If it fails, the next recognized one reads
  /// instead.
  private static func read(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    let scores = all.map { (importer: $0, score: $0.score(folder)) }
    let best = scores.map(\.score).max() ?? 0
    if best < sure {
      if let request = AuxiliaryFileDetector.refusal(folder) { throw request }
      if let unread = UnsupportedRecordingDetector.refusal(folder) { throw unread }
      if let failure = folder.failures.first, folder.source.manifest == nil {
        throw DocumentError(
          file: failure.file, path: failure.path,
          reason: "\(failure.reason); repair it, or take the media files as they are with "
            + "\(option: "format") files")
      }
    }
    guard best > 0 else { throw nothing(folder) }
    var candidates = scores.filter { $0.score >= min(best, sure) }
    candidates.stableSort { $0.score > $1.score }
    var errors: [DocumentError] = []
    for (importer, _) in candidates {
      do throws(DocumentError) {
        var recording = try importer.recording(folder)
        recording.messages += errors.map { "\($0) It is skipped." }
        return recording
      } catch {
        errors.append(error)
        // A session file is always intentional, so no other importer replaces it.
        if importer == SessionImporter.self { break }
      }
    }
    throw errors.first ?? nothing(folder)
  }

  /// The score from which on an importer has recognized its recorder.
  private static let sure = 50

  private static func nothing(_ folder: ImporterInput) -> DocumentError {
    if folder.source.manifest != nil {
      return folder.error(
        "it is neither a session file, which begins with \"version: 1\", nor the manifest of a known "
          + "recorder; give the folder of the recordings, or name the recorder with \(option: "format") (\(formats.joined(separator: ", ")))"
      )
    }
    return folder.nothing
  }
}
