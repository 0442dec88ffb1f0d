import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports recordings of Janus' video rooms, converted from `.mjr` to media files by
/// `janus-pp-rec`.
///
/// Each track is placed by its header (``MJRHeader``): from the first record of the `.mjr` file,
/// from the comment in the media file, or from the JSON file of `janus-pp-rec --json`. The time in
/// the name is the creation of the file, which may precede the first packet by seconds.
enum JanusImporter: Importer {
  static let format = "janus"

  static func score(_ folder: ImporterInput) -> Int {
    if folder.holds(isHeader) { return 90 }
    guard folder.source.manifest == nil else { return 0 }
    if folder.mediaFiles.contains(where: { JanusFileName(FileNameClassifier.stem($0.path)) != nil })
    {
      return 88
    }
    let isUnconverted = folder.source.files.contains {
      FileNameClassifier.fileExtension($0.path) == "mjr"
    }
    return isUnconverted ? 60 : 0
  }

  private static func isHeader(_ manifest: ImporterInput.Manifest) -> Bool {
    guard let type = manifest.document["t"]?.text, ["a", "v", "d"].contains(type) else {
      return false
    }
    return manifest.document["s"]?.numeral != nil || manifest.document["u"]?.numeral != nil
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    var seen: Set<String> = []
    for manifest in folder.manifests(isHeader) {
      let entry = ManifestObject(manifest)
      let stem = FileNameClassifier.stem(FileNameClassifier.stem(entry.file))
      guard entry.text("t") != "d", seen.insert(stem).inserted else { continue }
      guard let header = try MJRHeader(entry) else { continue }
      if entry.document["e"]?.bool == true {
        throw entry.error("e", "marks the recording as encrypted, which Tessera does not read")
      }
      let file = folder.files.path(
        "\(stem).\(header.isSound ? "opus" : "webm")", beside: entry.file)
      let name = JanusFileName(stem) ?? JanusFileName(stem: stem, isSound: header.isSound)
      try add(name, stem, file, header, "its header", to: &builder)
    }
    let media = folder.source.manifest == nil ? folder.mediaFiles.map(\.path) : []
    let named = media.filter { path in
      let stem = FileNameClassifier.stem(path)
      return JanusFileName(stem) != nil && seen.insert(stem).inserted
    }
    var undated: [String] = []
    for (path, span) in zip(named, folder.source.headers(named)) {
      let stem = FileNameClassifier.stem(path)
      guard let name = JanusFileName(stem) else { continue }
      let beside = folder.files.find("\(stem).mjr", beside: path)
      let packets = beside.flatMap { try? MJRHeader(packets: folder.source.read($0)) }
      let comment = span?.tags.lazy.compactMap { $0["comment"] }.compactMap(MJRHeader.init).first
      let header = packets ?? comment
      if header?.first == nil { undated.append(FileNameClassifier.fileName(path)) }
      let source = packets == nil ? "its comment" : "its .mjr header"
      try add(name, stem, path, header, source, to: &builder)
    }
    if let first = undated.first, builder.recording.tracks.count > 1 {
      builder.note(
        "\(first)\(undated.count > 1 ? " and \(undated.count - 1) more" : ""): placed by the time in the "
          + "name, at which Janus created the file: the first packet may come seconds later. "
          + "janus-pp-rec without -m, or with --json, keeps the time of the first packet.")
    }
    let hasMJR = folder.source.files.contains { FileNameClassifier.fileExtension($0.path) == "mjr" }
    if builder.recording.tracks.isEmpty, hasMJR {
      throw folder.error(
        "its recordings are .mjr files, which hold packets: make media files of them with "
          + "janus-pp-rec, under the same names, and keep their headers with janus-pp-rec --json")
    }
    return try builder.finish(isWallClock: true, folder: folder)
  }

  private static func add(
    _ name: JanusFileName, _ stem: String, _ file: String, _ header: MJRHeader?, _ source: String,
    to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    let description = header?.description
    let words = description.map { TrackNameParts($0) }
    let isScreen = words?.isScreen ?? false
    var kind: TrackKind = name.isSound ? .microphone : .camera
    if isScreen { kind = name.isSound ? .screenAudio : .screen }
    let person = words?.person ?? description.flatMap { words?.kind == nil ? $0 : nil }
    let id = builder.person(
      name.user, name: person.flatMap { FileNameKeywords.isName($0) ? $0 : nil })
    var track = Track(id: stem, file: file, kind: kind)
    let created = name.time ?? .zero
    track.anchors =
      header?.first.map {
        [TimeAnchor(.zero, .session, $0, within: TimeAnchor.microsecond, source: source)]
      }
      ?? [
        TimeAnchor(
          .created, .session, header?.created ?? created, within: MediaTime(seconds: 5),
          source: "the time in its name")
      ]
    track.names = [description].compactMap { $0 }
    try builder.add(track, to: id, at: DocumentError(file: file, reason: ""))
  }
}

/// The JSON header of an `.mjr` file: `{"t": "v", "c": "vp8", "d": "Ada camera", "s":
/// 1795812118044315, "u": 1795812119444726}`.
struct MJRHeader: Hashable {
  /// The description that the publisher gave to the stream.
  let description: String?
  /// The time at which Janus created the file.
  let created: MediaTime?
  /// The time of the first packet. The container that janus-pp-rec writes starts at this time.
  let first: MediaTime?
  let isSound: Bool

  /// Reads a header from the members of `entry`; `nil` if it has no time or describes a data
  /// channel.
  init?(_ entry: ManifestObject) throws(DocumentError) {
    created = try entry.time("s", .microseconds)
    first = try entry.time("u", .microseconds)
    description = entry.text("d")
    isSound = entry.text("t") == "a"
    guard (first ?? created) != nil, ["a", "v"].contains(entry.text("t")) else { return nil }
  }

  /// Reads a header from a comment; `nil` if the text is none.
  init?(_ text: String) {
    guard text.utf8.first == UInt8(ascii: "{"), text.utf8.count < 1 << 16,
      let document = try? DocumentValue(Array(text.utf8), .json, file: "")
    else { return nil }
    try? self.init(ManifestObject(document, file: ""))
  }

  /// Reads the first record of an `.mjr` file: a tag of 8 bytes, a length of 2 bytes, and JSON.
  init?(packets bytes: [UInt8]) {
    guard bytes.starts(with: "MJR".utf8), bytes.count > 10 else { return nil }
    let length = Int(bytes[8]) << 8 | Int(bytes[9])
    self.init(String(decoding: bytes[10...].prefix(length), as: UTF8.self))
  }

  /// Returns the anchors for the header's times; `source` describes where the header was found.
  func anchors(source: String) -> [TimeAnchor] {
    [
      first.map {
        TimeAnchor(
          .zero, .wall(TimeAnchor.recorder), $0, within: TimeAnchor.microsecond,
          source: "the first packet's time in \(source)")
      },
      created.map {
        TimeAnchor(
          .created, .wall(TimeAnchor.recorder), $0, within: MediaTime(seconds: 5),
          source: "the creation in \(source)")
      },
    ].compactMap { $0 }
  }
}

/// The parts of a file name such as `videoroom-1234-user-ada-1760000000412000-video-0`.
///
/// For base names chosen by an application, all text before the kind names the participant.
struct JanusFileName {
  let user: String
  let time: MediaTime?
  let isSound: Bool

  init?(_ stem: String) {
    let parts = stem.split(separator: "-").map(String.init)
    guard parts.count >= 5, parts[0] == "videoroom", let index = Int(parts[parts.count - 1]),
      index >= 0, ["audio", "video"].contains(parts[parts.count - 2]),
      let marker = parts.firstIndex(of: "user"), marker + 1 < parts.count - 3
    else { return nil }
    isSound = parts[parts.count - 2] == "audio"
    let clock = parts[parts.count - 3]
    guard (15...17).contains(clock.utf8.count),
      let time = DecimalLiteral(clock)?.time(.microseconds), time > .zero
    else { return nil }
    self.time = time
    user = parts[(marker + 1)..<(parts.count - 3)].joined(separator: "-")
  }

  /// Parses the name of a file whose header states kind and time.
  init(stem: String, isSound: Bool) {
    let parts = stem.split(separator: "-").map(String.init)
    let rest = parts.filter { !["audio", "video", "data"].contains($0) }
    let numbered = rest.count > 1 && rest.count < parts.count && Int(rest[rest.count - 1]) != nil
    user = (numbered ? rest.dropLast() : rest[...]).joined(separator: "-")
    time = nil
    self.isSound = isSound
  }
}
