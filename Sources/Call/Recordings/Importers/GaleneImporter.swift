import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports Galene's recordings by their names, such as `2025-10-09T08:53:20.412-Ada Lovelace.webm`.
///
/// Times are the server's local time. Galene starts a new file whenever the size or codec of a
/// participant's pictures changes. Files of one participant follow each other by time. A file that
/// overlaps is a shared screen or a second camera.
enum GaleneImporter: Importer {
  static let format = "galene"

  static func score(_ folder: ImporterInput) -> Int {
    guard folder.source.manifest == nil else { return 0 }
    return folder.mediaFiles.contains { name($0.path) != nil } ? 85 : 0
  }

  /// Returns the start and the participant in a file name; `nil` for other names.
  private static func name(_ path: String) -> (time: MediaTime, person: String)? {
    // Names contain colons. Galene spells out slashes in participants' names.
    let stem = FileNameClassifier.stem(path)
    let bytes = Array(stem.utf8)
    let isShort = bytes.count < 25
    guard !isShort, bytes[10] == UInt8(ascii: "T"), bytes[23] == UInt8(ascii: "-"),
      [UInt8(ascii: "."), UInt8(ascii: "-")].contains(bytes[19]),
      let (count, time, _) = WallClockFormat.scan(bytes[..<23]), count == 23
    else { return nil }
    var person = String(decoding: bytes[24...], as: UTF8.self)
      .replacing("-backslash-", with: "\\").replacing("-slash-", with: "/")
    // Galene appends a number of two digits to a name that exists already.
    let end = person.suffix(3)
    if person.utf8.count > 3, end.first == "-", end.dropFirst().allSatisfy(\.isNumber) {
      person = String(person.dropLast(3))
    }
    return (time, person)
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    let files = folder.mediaFiles.compactMap { file in name(file.path).map { (file.path, $0) } }
      .sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }
    let spans = folder.source.spans(files.map(\.0))
    var ends: [String: [MediaTime]] = [:]
    for ((path, name), span) in zip(files, spans) {
      let id = builder.person(name.person)
      var track = Track(
        id: FileNameClassifier.stem(path), file: path, kind: .camera, start: name.time)
      // A file that overlaps becomes another source with its own tile.
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
      builder.leaveOut(file.path, "its name has no time and no participant.")
    }
    return try builder.finish(isWallClock: true, folder: folder)
  }

  /// The largest overlap of consecutive files.
  private static let overlap = MediaTime(seconds: 1)
}
