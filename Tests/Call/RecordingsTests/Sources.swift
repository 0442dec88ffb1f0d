import Foundation
import TesseraDocuments
import TesseraMessages
import TesseraRecordings
import TesseraTimeline
import TestSupport

extension RecordingSource {
  /// Returns a folder in memory: text by path, and media files without content.
  static func folder(
    _ files: [String: String], media: [String] = [], manifest: String? = nil
  ) -> RecordingSource {
    let listed =
      files.map { File($0.key, size: $0.value.utf8.count) } + media.map { File($0, size: 1000) }
    return RecordingSource(name: "call", files: listed, manifest: manifest) {
      path throws(DocumentError) in
      guard let text = files[path] else {
        throw DocumentError(file: path, reason: "it is not there")
      }
      return Array(text.utf8)
    }
  }
}

extension Recording {
  /// A line for each track: participant, kind, file, start and end.
  var lines: [String] {
    participants.flatMap { person in
      person.tracks.map { track in
        let end = track.stop.map { "\($0)" } ?? "end"
        let start = track.follows.map { "after \($0)" } ?? "\(track.start)"
        return "\(person.name): \(track.kind.rawValue) \(track.file) \(start)-\(end)"
      }
    }
  }

  /// A line for each event.
  var eventLines: [String] { events.map { "\($0.time) \($0.change)" } }
}

extension MediaTime {
  /// Parses a time.
  static func at(_ text: String) -> MediaTime { MediaTime(text) ?? MediaTime(nanoseconds: -1) }
}

/// The manifests in `../shared`, one of each recorder.
enum SharedManifests {
  private static let folder = SourceTree.shared.appending(path: "manifests")

  static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  /// Returns the folder with `name` as the given file.
  static func source(_ name: String) throws -> RecordingSource {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    var files: [String: String] = [:]
    for name in names {
      files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    return .folder(files, manifest: name)
  }
}
