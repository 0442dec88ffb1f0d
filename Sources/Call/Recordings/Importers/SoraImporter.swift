import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports Sora's recordings: a JSON file `archive-*.json` for each connection, or several if
/// split.
///
/// A layout file of hisui beside them is applied.
enum SoraImporter: Importer {
  static let format = "sora"

  static func score(_ folder: ImporterInput) -> Int {
    if folder.holds(isArchive) { return 100 }
    let hasArchive = folder.manifests.contains(where: isArchive)
    return hasArchive && folder.holds({ isLayout($0.document) }) ? 96 : 0
  }

  private static func isArchive(_ manifest: ImporterInput.Manifest) -> Bool {
    manifest.document["connection_id"]?.text != nil
      && manifest.document["start_time_offset"] != nil
      && !FileNameClassifier.fileName(manifest.path).hasPrefix("report")
  }

  /// True for a layout file of hisui.
  static func isLayout(_ document: DocumentValue) -> Bool {
    guard document["connection_id"] == nil, document["RoomSid"] == nil else { return false }
    return document["video_layout"]?.object != nil
      || document["audio_sources"]?.list != nil && document["resolution"] != nil
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    let layouts = folder.manifests { isLayout($0.document) }
    let layout = layouts.first
    builder.noteChoice(of: layouts)
    for manifest in folder.manifests(isArchive) {
      try add(ManifestObject(manifest), folder, heard: layout?.document, to: &builder)
    }
    if let layout, let object = layout.document.object {
      let ignored = object.keys.filter { !used.contains($0) }
      if !ignored.isEmpty {
        builder.note(
          "\(file: layout.path): these keys are ignored: \(ignored.joined(separator: ", ")).")
      }
    }
    var recording = try builder.finish(zero: .zero, isWallClock: false, folder: folder)
    if let layout { try apply(ManifestObject(layout), to: &recording) }
    return recording
  }

  /// The keys of hisui's layout file that are supported.
  private static let used: Set = [
    "audio_sources", "frame_rate", "resolution", "trim", "video_layout",
  ]

  private static func add(
    _ entry: ManifestObject, _ folder: ImporterInput, heard: DocumentValue?,
    to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    let connection = try entry.requiredText("connection_id")
    let client = entry.text("client_id") ?? connection
    let stem = FileNameClassifier.stem(entry.file)
    let format = entry.text("format") ?? "webm"
    let written = entry.text("filename") ?? "\(stem).\(format)"
    let file =
      folder.files.find("\(stem).\(format)", beside: entry.file)
      ?? folder.files.path(written, beside: entry.file)
    let start = try entry.requiredTime("start_time_offset", .seconds)
    guard start >= .zero else { throw entry.error("start_time_offset", "must not be negative") }
    var track = Track(id: stem, file: file, kind: kind(entry, client, connection), start: start)
    track.stop = try entry.time("stop_time_offset", .seconds)
    // hisui's layouts refer to recordings by the names of their JSON files.
    track.names = [FileNameClassifier.fileName(entry.file), entry.file, connection]
    if let patterns = heard?["audio_sources"]?.list?.compactMap(\.text) {
      track.isHeard = patterns.contains {
        WildcardPattern($0).matches(FileNameClassifier.fileName(entry.file))
      }
    }
    let id = builder.person(client, name: entry.text("label"))
    try builder.add(track, to: id, at: entry.error("stop_time_offset", ""))
  }

  private static func kind(
    _ entry: ManifestObject, _ client: String, _ connection: String
  ) -> TrackKind {
    let isScreen = [client, connection].contains {
      TrackNameParts($0).isScreen || $0.lowercased().hasPrefix("screen")
    }
    let hasPicture = entry.document["video"]?.bool ?? true
    guard hasPicture else { return isScreen ? .screenAudio : .microphone }
    return isScreen ? .screen : .camera
  }

  private static func apply(
    _ layout: ManifestObject, to recording: inout Recording
  ) throws(DocumentError) {
    var kept = DocumentValue.Members()
    for key in ["video_layout", "resolution"] {
      if let value = layout.document[key] { kept.append(key, value) }
    }
    if layout.document["video_layout"] != nil {
      recording.layout = .regions(json: DocumentValue.object(kept).json())
    }
    if let size = layout.text("resolution") {
      guard CanvasSettings.isSize(size) else {
        throw layout.error("resolution", "must be a size such as 1280x720")
      }
      recording.canvas.size = size
    }
    if let text = layout.text("frame_rate") {
      guard let rate = FrameRate(text) else {
        throw layout.error("frame_rate", "must be frames a second such as 30 or 30000/1001")
      }
      recording.canvas.frameRate = rate
    }
    recording.trimsIdle = layout.document["trim"]?.bool
  }
}

/// A glob pattern in which `*` matches any text.
struct WildcardPattern {
  private let parts: [Substring]

  init(_ text: String) { parts = text.split(separator: "*", omittingEmptySubsequences: false) }

  func matches(_ name: String) -> Bool { name[...].matches(parts) }
}
