import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports a session file. ``SessionFile`` reads the format.
enum SessionImporter: Importer {
  static let format = "session"

  static func score(_ folder: ImporterInput) -> Int { folder.holds(isSession) ? 100 : 0 }

  private static func isSession(_ manifest: ImporterInput.Manifest) -> Bool {
    guard let object = manifest.document.object else { return false }
    let isNamed = FileNameClassifier.stem(manifest.path).hasPrefix("session")
    let hasPeople = object["participants"]?.list != nil
    return object["version"]?.numeral != nil && (hasPeople || isNamed) || hasPeople && isNamed
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    let sessions = folder.manifests(isSession)
    guard let session = sessions.first else {
      throw folder.error("it is not a session file")
    }
    guard sessions.count == 1 else {
      throw folder.error(
        "it holds \(sessions.count) session files, \(file: session.path) and \(file: sessions[1].path) among "
          + "them; name one")
    }
    let inside = FileNameClassifier.folders(session.path).map { "\($0)/" }.joined()
    let source = folder.source
    let isPresent = source.mayLeaveFolder ? source.isPresent : nil
    let known = source.files.map(\.path).filter { $0.hasPrefix(inside) }
    var recording = try SessionFile.recording(
      from: session.document, file: session.path,
      isPresent: { path in
        isPresent?(path.isAbsolutePath ? path : inside + path)
          ?? folder.files.contains(normal(inside + path))
      },
      known: known.prefix(1000).map { String($0.dropFirst(inside.count)) },
      mayLeaveFolder: source.mayLeaveFolder, allowsMissing: source.allowsMissing)
    // Existing session files keep their meaning: without `align`, all participants start together.
    recording.alignment = recording.alignment ?? .start
    guard !inside.isEmpty else { return recording }
    // Converts paths from the session file's folder to the recording's folder.
    recording.mapPaths { $0.isAbsolutePath ? $0 : normal(inside + $0) }
    return recording
  }

  /// Returns the path without components that are `.`.
  private static func normal(_ path: String) -> String {
    path.pathParts.filter { $0 != "." }.joined(separator: "/")
  }
}
