import Foundation
import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports Craig's recordings of Discord: `info.txt` and a file for each user, such as
/// `1-ada.flac`.
///
/// `info.txt` lists names in the order of the file numbers, the start, and notes, which become
/// chapters. Every file starts with the recording.
enum CraigImporter: Importer {
  static let format = "craig"

  static func score(_ folder: ImporterInput) -> Int { info(folder) == nil ? 0 : 100 }

  /// The contents of Craig's `info.txt`.
  private struct InfoFile {
    var path: String
    var title: String?
    var start: MediaTime?
    var people: [String] = []
    var notes: [ChapterFileReader.ChapterMark] = []

    /// Parses the text of `info.txt`; `nil` for any other text.
    init?(_ text: String, path: String) {
      self.path = path
      var section = ""
      for line in text.split(whereSeparator: \.isNewline) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: true).map(String.init)
        guard let first = parts.first else { continue }
        if line.first != "\t" {
          section = first
          switch first {
          case "Channel:": title = parts.dropFirst().first.map(Self.withoutNumber)
          case "Start time:": start = parts.dropFirst().first.flatMap(WallClockFormat.parse)
          default: break
          }
        } else if section == "Tracks:" {
          people.append(Self.name(first))
        } else if section == "Notes:", let colon = first.range(of: ": ") {
          // A note's time: H:MM:SS, or with hundredths.
          guard let time = MediaTime(String(first[..<colon.lowerBound])) else { continue }
          notes.append(ChapterFileReader.ChapterMark(time, String(first[colon.upperBound...])))
        }
      }
      guard section == "Tracks:" || section == "Notes:" || !people.isEmpty else { return nil }
    }

    /// Returns the name without user names and numbers: `Ada Lovelace` from
    /// `Ada Lovelace (ada) (3)`, `bob` from `bob#0 (4)`.
    private static func name(_ text: String) -> String {
      var name = withoutNumber(withoutNumber(text))
      if let sign = name.lastIndex(of: "#"), name[sign...].dropFirst().allSatisfy(\.isNumber) {
        name = String(name[..<sign])
      }
      return name.isEmpty ? text : name
    }

    /// Returns the text without a parenthesis at its end.
    private static func withoutNumber(_ text: String) -> String {
      guard text.hasSuffix(")"), let open = text.range(of: " (", options: .backwards) else {
        return text
      }
      return String(text[..<open.lowerBound])
    }
  }

  private static func info(_ folder: ImporterInput) -> InfoFile? {
    guard !folder.source.isList else { return nil }
    for file in folder.source.files
    where FileNameClassifier.fileName(file.path) == "info.txt" && file.size <= 1 << 20 {
      guard let bytes = try? folder.source.read(file.path) else { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      guard text.contains("Tracks:"), text.hasPrefix("Recording ") || text.contains("Guild:") else {
        continue
      }
      if let info = InfoFile(text, path: file.path) { return info }
    }
    return nil
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    guard let info = info(folder) else { throw folder.error("it has no info.txt of Craig's") }
    var builder = RecordingBuilder()
    builder.recording.title = info.title
    builder.recording.chapters = info.notes
    builder.leaveOut(info.path)
    let files = folder.mediaFiles.compactMap { file -> (number: Int, path: String)? in
      let name = FileNameClassifier.stem(file.path)
      return Int(name.prefix { $0.isNumber }).map { ($0, file.path) }
    }.sorted { ($0.number, $0.path) < ($1.number, $1.path) }
    for (number, path) in files {
      let stem = FileNameClassifier.stem(path)
      let own = stem.drop { $0.isNumber }.drop { "-_".contains($0) }
      let name =
        info.people.indices.contains(number - 1)
        ? info.people[number - 1] : own.isEmpty ? stem : String(own)
      let id = builder.person("\(number)", name: name)
      let kind: TrackKind = FileNameClassifier.kind(path) == .audio ? .microphone : .media
      try builder.add(
        Track(id: stem, file: path, kind: kind, start: .zero), to: id,
        at: DocumentError(file: path, reason: ""))
    }
    var recording = try builder.finish(zero: .zero, isWallClock: false, folder: folder)
    recording.startedAt = info.start
    return recording
  }
}
