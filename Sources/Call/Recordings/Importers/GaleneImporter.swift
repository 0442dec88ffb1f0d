import TesseraDocuments
import TesseraTimeline

/// Galene's recordings by their names, `2025-10-09T08:53:20.412-Ada Lovelace.webm`, in the server's
/// local time. A file begins wherever somebody's pictures change in size or codec, and those of one
/// person follow each other by their times; what overlaps is a shared screen or a second camera.
enum GaleneImporter: Importer {
  static let format = "galene"
  static let summary = "Galene recordings (2025-10-09T08:53:20.412-NAME.webm)"

  static func score(_ folder: ImportFolder) -> Int {
    guard folder.source.manifest == nil else { return 0 }
    return folder.mediaFiles.contains { name($0.path) != nil } ? 85 : 0
  }

  /// A file's beginning and its person.
  private static func name(_ path: String) -> (time: MediaTime, person: String)? {
    // Names have colons; slashes in people's names are spelled out.
    let stem = MediaNames.stem(path)
    let bytes = Array(stem.utf8)
    let isShort = bytes.count < 25
    guard !isShort, bytes[10] == UInt8(ascii: "T"), bytes[23] == UInt8(ascii: "-"),
      [UInt8(ascii: "."), UInt8(ascii: "-")].contains(bytes[19]),
      let (count, time, _) = WallTime.scan(bytes[..<23]), count == 23
    else { return nil }
    var person = String(decoding: bytes[24...], as: UTF8.self)
      .replacing("-backslash-", with: "\\").replacing("-slash-", with: "/")
    // What was there already has a number of two digits.
    let end = person.suffix(3)
    if person.utf8.count > 3, end.first == "-", end.dropFirst().allSatisfy(\.isNumber) {
      person = String(person.dropLast(3))
    }
    return (time, person)
  }

  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    let files = folder.mediaFiles.compactMap { file in name(file.path).map { (file.path, $0) } }
      .sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }
    let spans = folder.source.spans(files.map(\.0))
    var ends: [String: [MediaTime]] = [:]
    for ((path, name), span) in zip(files, spans) {
      let id = builder.person(name.person)
      var track = Track(id: MediaNames.stem(path), file: path, kind: .camera, start: name.time)
      // Of two at once the second is another source, with a tile of its own.
      let sources = ends[name.person] ?? []
      let free = sources.firstIndex { $0 <= name.time + overlap } ?? sources.count
      if free > 0 { track.source = "\(free + 1)" }
      let end = name.time + (span?.duration ?? .zero)
      if free < sources.count {
        ends[name.person]?[free] = end
      } else {
        ends[name.person, default: []].append(end)
      }
      try builder.add(track, to: id, at: DocumentError(file: path, reason: ""))
    }
    for file in folder.mediaFiles where name(file.path) == nil {
      builder.leaveOut(file.path, "its name has no time and no person.")
    }
    return try builder.finish(isWallClock: true, folder: folder)
  }

  /// Files that follow each other overlap by less.
  private static let overlap = MediaTime(seconds: 1)
}
