import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports Vonage (OpenTok) archives of individual streams, with barc's additions, and OpenVidu
/// 2's.
///
/// barc adds classes, layout events and still images. OpenVidu 2 uses other keys and names each
/// file after its stream.
///
/// Offsets are milliseconds from the archive's beginning. Files with equal `connectionData` belong
/// to one participant: camera, screen, and a camera that was restarted. If two cameras with equal
/// `connectionData` overlap by more than half of the shorter one, the data names a role, and each
/// file is a participant of its own.
enum VonageImporter: Importer {
  static let format = "vonage"

  static func score(_ folder: ImporterInput) -> Int { folder.holds(isArchive) ? 100 : 0 }

  private static func isArchive(_ manifest: ImporterInput.Manifest) -> Bool {
    guard let files = manifest.document["files"]?.list else { return false }
    let known = files.contains { $0["streamId"] != nil || $0["startTimeOffset"] != nil }
    let isEmpty = files.isEmpty && manifest.document["sessionId"] != nil
    return known || isEmpty && manifest.document["createdAt"] != nil
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    guard let manifest = folder.manifests(isArchive).first else {
      throw folder.error("it has no manifest of an archive")
    }
    var archive = VonageArchive(ManifestObject(manifest), folder)
    return try archive.recording()
  }
}

private struct VonageArchive {
  private let archive: ManifestObject
  private let folder: ImporterInput
  private var builder = RecordingBuilder()
  private var guests = 0
  private var ownKeys: Set<Int> = []
  private var streams: Set<String> = []

  init(_ archive: ManifestObject, _ folder: ImporterInput) {
    (self.archive, self.folder) = (archive, folder)
  }

  private struct File {
    let entry: ManifestObject
    let index: Int
    let start: MediaTime
    let stop: MediaTime?
    let data: String
    /// The kind of pictures: `camera`, `screen` or another value; `nothing` for sound only.
    let type: String
    var isCamera: Bool { type == "camera" }
  }

  mutating func recording() throws(DocumentError) -> Recording {
    builder.recording.title = archive.text("name")
    let createdAt = try archive.time("createdAt", .milliseconds)
    let files = try readFiles()
    ownKeys = Self.withoutAPersonOfTheirOwn(files)
    for file in files { try add(file) }
    for entry in archive.list("layoutEvents") { try addEvent(entry, createdAt ?? .zero) }
    var recording = try builder.finish(zero: .zero, isWallClock: false, folder: folder)
    recording.startedAt = createdAt
    return recording
  }

  private func readFiles() throws(DocumentError) -> [File] {
    let entries = archive.list("files")
    guard entries.count <= Recording.maximumTracks else {
      throw archive.error("files", "are more than \(Recording.maximumTracks)")
    }
    var files: [File] = []
    for (index, entry) in entries.enumerated() {
      let start = try entry.requiredTime("startTimeOffset", .milliseconds)
      guard start >= .zero else { throw entry.error("startTimeOffset", "must not be negative") }
      let end = entry.document["stopTimeOffset"] == nil ? "endTimeOffset" : "stopTimeOffset"
      files.append(
        File(
          entry: entry, index: index, start: start,
          stop: try entry.time(end, .milliseconds),
          data: entry.text("connectionData") ?? entry.text("clientData") ?? "",
          type: entry.text("videoType") ?? Self.openViduType(entry)))
    }
    return files
  }

  /// Returns the kind of pictures by OpenVidu's keys.
  private static func openViduType(_ entry: ManifestObject) -> String {
    if entry.text("connectionId") != nil, entry.document["hasVideo"] == .bool(false) {
      return "nothing"
    }
    return entry.text("typeOfVideo")?.lowercased() ?? "camera"
  }

  /// Returns the indices of files whose `connectionData` does not identify a participant: the text
  /// is empty, or cameras that share it overlap by more than half.
  private static func withoutAPersonOfTheirOwn(_ files: [File]) -> Set<Int> {
    var result: Set<Int> = []
    for group in Dictionary(grouping: files, by: \.data).values {
      let cameras = group.filter(\.isCamera).sorted { $0.start < $1.start }
      let overlap = zip(cameras, cameras.dropFirst()).contains { first, second in
        guard let firstEnd = first.stop, let secondEnd = second.stop else { return false }
        let common = min(firstEnd, secondEnd) - second.start
        let shorter = min(firstEnd - first.start, secondEnd - second.start)
        return common + common > shorter
      }
      if group[0].data.isEmpty || overlap { result.formUnion(group.map(\.index)) }
    }
    return result
  }

  private mutating func add(_ file: File) throws(DocumentError) {
    let entry = file.entry
    let written = entry.text("filename") ?? entry.text("streamId").map { "\($0).webm" }
    guard let written else { throw entry.missing("filename", "a file's name") }
    let stream = entry.text("streamId") ?? FileNameClassifier.stem(written)
    let path = folder.files.path(written, beside: entry.file)
    let isScreen = file.type == "screen"
    var track = Track(id: stream, file: path, kind: .media, start: file.start)
    switch file.type {
    case _ where FileNameClassifier.kind(path) == .image: track.kind = .still
    case "screen": track.kind = .screen
    case "camera": track.kind = .camera
    case "nothing": track.kind = .microphone
    default: break
    }
    track.stop = file.stop
    track.names = [stream]
    track.classes = Self.classes(entry.document["layoutClass"], isScreen: isScreen)
    let id = person(file, stream: stream, isScreen: isScreen || track.kind == .still)
    let place = entry.error("stopTimeOffset", "")
    try builder.add(track, to: id, at: place)
    streams.insert(stream)
  }

  /// Returns the classes of a stream. Like barc, assigns screens without a class the class `focus`,
  /// which presentations enlarge.
  private static func classes(_ value: DocumentValue?, isScreen: Bool) -> [String] {
    let classes = (value?.text ?? "").split(separator: " ").map(String.init)
    return classes.isEmpty && isScreen ? ["focus"] : classes
  }

  private mutating func person(_ file: File, stream: String, isScreen: Bool) -> Participant.ID {
    let person = ParticipantMetadata(file.data)
    guard ownKeys.contains(file.index) else {
      return builder.person(person.id ?? person.name ?? file.data, name: person.name)
    }
    if let name = person.name { return builder.person("\(name) \(stream)", name: name) }
    guard !isScreen else { return builder.person(stream, name: "Screen") }
    guests += 1
    return builder.person(stream, name: "Guest \(guests)")
  }

  private static let layouts = [
    "bestFit": "best-fit", "pip": "pip", "horizontalPresentation": "horizontal-presentation",
    "verticalPresentation": "vertical-presentation",
  ]

  private mutating func addEvent(
    _ entry: ManifestObject, _ createdAt: MediaTime
  ) throws(DocumentError) {
    let time = try entry.requiredTime("createdAt", .milliseconds) - createdAt
    switch entry.text("action") {
    case "layoutChanged": addLayout(entry.member("layout"), time)
    case "streamChanged":
      let stream = entry.member("stream")
      guard let id = stream.text("id"), let list = stream.document["layoutClassList"]?.list,
        streams.contains(id)
      else { return }
      builder.add(CallEvent(time, .classes(id, list.compactMap(\.text))))
    default: builder.note("\(file: entry.file): \(entry.name("action")) is unknown and skipped.")
    }
  }

  private mutating func addLayout(_ layout: ManifestObject, _ time: MediaTime) {
    let type = layout.text("type") ?? ""
    if let stylesheet = layout.text("stylesheet") {
      builder.add(CallEvent(time, .layout(.stylesheet(stylesheet))))
    } else if let name = Self.layouts[type] {
      builder.add(CallEvent(time, .layout(.named(name))))
    } else {
      builder.note("\(file: layout.file): the layout \"\(type)\" is unknown and skipped.")
    }
  }
}
