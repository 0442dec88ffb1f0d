import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports Jitsi's multitrack recording: one Matroska file with an audio stream for each source.
///
/// The title (`<endpoint>-<SSRC>`) or the tag `endpoint_id` identifies the participant. After a
/// long gap the recorder starts a new stream with an equal title, which belongs to that
/// participant.
///
/// Jibri's recordings are mixes of everyone and are refused.
enum JitsiImporter: Importer {
  static let format = "jitsi"

  static func score(_ folder: ImporterInput) -> Int {
    if folder.source.manifest == nil, folder.source.files.contains(where: isMultitrack) {
      return 90
    }
    if folder.holds(isJibri) { return 60 }
    guard let named = folder.source.manifest else { return 0 }
    return folder.source.files.contains { $0.path == named && isMultitrack($0) } ? 90 : 0
  }

  private static func isJibri(_ manifest: ImporterInput.Manifest) -> Bool {
    manifest.document["meeting_url"] != nil
  }

  private static func isMultitrack(_ file: RecordingSource.File) -> Bool {
    ["mka", "mkv"].contains(FileNameClassifier.fileExtension(file.path))
      && file.streams?.contains { endpoint($0) != nil } == true
  }

  /// Returns the endpoint whose sound is in the stream; `nil` for any other stream.
  private static func endpoint(_ stream: RecordingSource.StreamHeader) -> String? {
    guard stream.kind == .audio else { return nil }
    if let id = stream.tags["endpoint_id"], !id.isEmpty { return id }
    guard let title = stream.tags["title"], let dash = title.lastIndex(of: "-") else { return nil }
    let (id, source) = (title[..<dash], title[dash...].dropFirst())
    let isHexadecimal = (6...16).contains(id.count) && id.allSatisfy(\.isHexDigit)
    let isNumber = !source.isEmpty && source.allSatisfy { $0.isASCII && $0.isNumber }
    return isHexadecimal && isNumber ? String(id) : nil
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    let files = folder.source.files.filter(isMultitrack)
    guard !files.isEmpty else { throw jibri(folder) }
    var builder = RecordingBuilder()
    for file in files {
      for stream in file.streams ?? [] {
        guard let endpoint = endpoint(stream) else { continue }
        var track = Track(
          id: "\(FileNameClassifier.stem(file.path))-\(stream.index)", file: file.path,
          kind: .microphone)
        track.stream = stream.index
        track.anchors = [TimeAnchor(.zero, .session, .zero)]
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

  /// Returns the error for a folder of Jibri, or for a folder without a multitrack recording.
  private static func jibri(_ folder: ImporterInput) -> DocumentError {
    guard let metadata = folder.manifests(isJibri).first else {
      return folder.error(
        "it is not a multitrack recording: no stream of a Matroska file carries an endpoint's "
          + "identifier")
    }
    let mix: UserMessage = folder.mediaFiles.first.map { "\(file: $0.path)" } ?? "its video"
    return DocumentError(
      file: metadata.path,
      reason: "it belongs to a recording of Jibri, which is already mixed: there are "
        + "no separate recordings; \(mix) can be given as a plain file")
  }
}
