package import TesseraDocuments
import TesseraMessages

/// A source with its manifests and playlists already read: the input of every importer.
package struct ImporterInput: Sendable {
  /// A parsed JSON or YAML file.
  struct Manifest: Sendable {
    let path: String
    let document: DocumentValue
  }

  /// The listing from which the folder was read.
  package let source: RecordingSource
  /// The readable manifests in order of their paths.
  let manifests: [Manifest]
  /// The errors of unreadable manifests.
  let failures: [DocumentError]
  /// An index of the files, for references in manifests.
  let files: ManifestFileFinder
  let playlists: FolderPlaylists
  /// The media files by extension, without parts of other files such as segments.
  let mediaFiles: [RecordingSource.File]

  /// Limits on manifests: their number, and their total size in bytes.
  static let maximumManifests = 5000
  static let maximumBytes = 32 << 20

  /// Reads all files that may be manifests.
  ///
  /// - Throws: if the manifest that the user named is unreadable, or the folder exceeds a limit.
  package init(_ source: RecordingSource) throws(DocumentError) {
    guard source.files.count <= RecordingSource.maximumFiles else {
      throw DocumentError(
        file: source.name,
        reason: "it holds more than \(RecordingSource.maximumFiles) files; name its manifest's "
          + "folder, or the files")
    }
    self.source = source
    files = ManifestFileFinder(source.files)
    let playlists = FolderPlaylists(source)
    self.playlists = playlists
    mediaFiles = source.files.filter {
      [.video, .audio].contains(FileNameClassifier.kind($0.path))
        && !playlists.parts.contains($0.path)
    }
    var (manifests, failures): ([Manifest], [DocumentError]) = ([], [])
    var bytes = 0
    let candidates = try Self.candidates(source)
    for file in candidates {
      let isNamed = file.path == source.manifest
      do throws(DocumentError) {
        let limit = DocumentValue.maximumSize
        guard file.size <= limit else {
          throw DocumentError(
            file: file.path,
            reason: "it is larger than the limit of \(limit >> 20) MB")
        }
        bytes += isNamed ? 0 : file.size
        guard bytes <= Self.maximumBytes else { continue }
        manifests.append(
          Manifest(path: file.path, document: try Self.document(file.path, source)))
      } catch {
        if isNamed { throw error }
        if Self.isMeant(file.path) { failures.append(error) }
      }
    }
    self.manifests = manifests
    self.failures = failures
  }

  /// Returns the files that may be manifests. A named session file needs no others.
  private static func candidates(
    _ source: RecordingSource
  ) throws(DocumentError) -> [RecordingSource.File] {
    let all = source.files.filter { mayBeManifest($0.path, source) }
    if let named = all.first(where: { $0.path == source.manifest }) {
      if FileNameClassifier.stem(named.path).hasPrefix("session") { return [named] }
      return [named] + all.filter { $0.path != named.path }.prefix(maximumManifests)
    }
    guard all.count <= maximumManifests else {
      throw DocumentError(
        file: source.name,
        reason: "it holds more than \(maximumManifests) JSON and YAML files; name the one that is "
          + "the manifest")
    }
    return all
  }

  private static func mayBeManifest(_ path: String, _ source: RecordingSource) -> Bool {
    if path == source.manifest { return true }
    if source.isList { return false }
    let isEvents = FileNameClassifier.folders(path).contains("meeting-events")
    return DocumentValue.Syntax(fileName: path) != nil
      || ["jsonl", "ndjson"].contains(FileNameClassifier.fileExtension(path)) || isEvents
  }

  /// True if an unreadable file was probably meant for an importer. Other YAML files are common.
  private static func isMeant(_ path: String) -> Bool {
    DocumentValue.Syntax(fileName: path) != .yaml
      || FileNameClassifier.stem(path).hasPrefix("session")
  }

  /// Reads one manifest. JSON may have comments, because users write some files by hand.
  ///
  /// A file with another extension than `.json` or `.yaml` may have one JSON document per line.
  private static func document(
    _ path: String, _ source: RecordingSource
  ) throws(DocumentError) -> DocumentValue {
    let bytes = try source.read(path)
    guard let syntax = DocumentValue.Syntax(fileName: path) else {
      return try lines(bytes, path, source)
    }
    guard !bytes.isEmpty else { throw DocumentError(file: path, reason: "it is empty") }
    return try DocumentValue(bytes, syntax == .json ? .jsonc : syntax, file: path)
  }

  /// Returns the error that the file at `path` is text, but not a recorder's.
  private static func notARecording(_ path: String) -> DocumentError {
    DocumentError(
      file: path,
      reason: "it is text, but not a recorder's JSON; give a media file, a folder, an archive, a "
        + "manifest or a session file")
  }

  private static func lines(
    _ bytes: [UInt8], _ path: String, _ source: RecordingSource
  ) throws(DocumentError) -> DocumentValue {
    do throws(DocumentError) {
      return try DocumentValue(bytes, .jsonc, file: path)
    } catch {
      var values: [DocumentValue] = []
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        guard line.contains(where: { $0 > 0x20 }) else { continue }
        guard values.count < Recording.maximumEvents,
          let value = try? DocumentValue(Array(line), .json, file: path)
        else { throw path == source.manifest ? notARecording(path) : error }
        values.append(value)
      }
      return .list(values)
    }
  }

  /// Returns the manifests that match `isWanted`: only the named one if it matches, otherwise all.
  func manifests(_ isWanted: (Manifest) -> Bool) -> [Manifest] {
    let wanted = manifests.filter(isWanted)
    let named = wanted.filter { $0.path == source.manifest }
    return named.isEmpty ? wanted : named
  }

  /// True if the named manifest matches `isWanted`, or any manifest if none was named.
  func holds(_ isWanted: (Manifest) -> Bool) -> Bool {
    manifests.contains { (source.manifest == nil || $0.path == source.manifest) && isWanted($0) }
  }

  /// Returns the path of the playlist to which `name`, a path or URL, refers; `nil` unless that
  /// playlist is a recording in this folder.
  func playlist(_ name: String, beside manifest: String) -> String? {
    let plain = String(name.prefix { $0 != "?" })
    return files.find(plain, beside: manifest).flatMap { path in
      playlists.recordings[path] == nil ? nil : path
    }
  }

  /// The error that the folder has nothing to render.
  var nothing: DocumentError {
    error(
      source.files.isEmpty
        ? "it is empty; give the folder that holds the recordings, or name the files"
        : "none of its files is a recording; give a folder with files that end in "
          + "\(FileNameClassifier.examples), or name the files")
  }

  /// Returns the error that the source as a whole is wrong for `reason`.
  func error(_ reason: UserMessage) -> DocumentError {
    DocumentError(file: source.manifest ?? source.name, reason: reason)
  }
}
