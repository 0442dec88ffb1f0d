import TesseraDocuments
import TesseraTimeline

/// Jitsi's multitrack recording: one Matroska file with a stream for each source, which carries the
/// endpoint's identifier in its title (`<endpoint>-<SSRC>`) or its tag `endpoint_id`. A long gap
/// begins a new stream of the same title, which stays the same person.
///
/// Jibri's recordings are mixed already and left out.
enum JitsiImporter: Importer {
  static let format = "jitsi"
  static let summary = "Jitsi multitrack recording (Matroska)"

  static func score(_ folder: ImportFolder) -> Int {
    if folder.source.manifest == nil, folder.source.files.contains(where: isMultitrack) {
      return 90
    }
    if folder.holds(isJibri) { return 60 }
    guard let named = folder.source.manifest else { return 0 }
    return folder.source.files.contains { $0.path == named && isMultitrack($0) } ? 90 : 0
  }

  private static func isJibri(_ manifest: ImportFolder.Manifest) -> Bool {
    manifest.document["meeting_url"] != nil
  }

  private static func isMultitrack(_ file: RecordingSource.File) -> Bool {
    ["mka", "mkv"].contains(MediaNames.fileExtension(file.path))
      && file.streams?.contains { endpoint($0) != nil } == true
  }

  /// The endpoint whose sound the stream is.
  private static func endpoint(_ stream: RecordingSource.StreamFacts) -> String? {
    guard stream.kind == .audio else { return nil }
    if let id = stream.tags["endpoint_id"], !id.isEmpty { return id }
    guard let title = stream.tags["title"], let dash = title.lastIndex(of: "-") else { return nil }
    let (id, source) = (title[..<dash], title[dash...].dropFirst())
    let isHexadecimal = (6...16).contains(id.count) && id.allSatisfy(\.isHexDigit)
    let isNumber = !source.isEmpty && source.allSatisfy { $0.isASCII && $0.isNumber }
    return isHexadecimal && isNumber ? String(id) : nil
  }

  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording {
    let files = folder.source.files.filter(isMultitrack)
    guard !files.isEmpty else { throw jibri(folder) }
    var builder = RecordingBuilder()
    for file in files {
      for stream in file.streams ?? [] {
        guard let endpoint = endpoint(stream) else { continue }
        var track = Track(
          id: "\(MediaNames.stem(file.path))-\(stream.index)", file: file.path, kind: .microphone)
        track.stream = stream.index
        track.anchors = [Anchor(.zero, .session, .zero)]
        track.names = [stream.tags["title"]].compactMap { $0 }
        let id = builder.person(endpoint)
        try builder.add(track, to: id, at: DocumentError(file: file.path, reason: ""))
      }
    }
    for file in folder.mediaFiles where !isMultitrack(file) {
      builder.leaveOut(file.path, "it is not the multitrack recording.")
    }
    return try builder.finish(isWallClock: false, folder: folder)
  }

  /// What to say of Jibri's folder.
  private static func jibri(_ folder: ImportFolder) -> DocumentError {
    guard let metadata = folder.manifests(isJibri).first else {
      return folder.error(
        "it is not a multitrack recording: no stream of a Matroska file carries an endpoint's "
          + "identifier")
    }
    let mix = folder.mediaFiles.first.map { $0.path } ?? "its video"
    return DocumentError(
      file: metadata.path,
      reason: "it belongs to a recording of Jibri, in which everyone is mixed already: there is "
        + "nobody's own recording; \(mix) can be given as a plain file")
  }
}
