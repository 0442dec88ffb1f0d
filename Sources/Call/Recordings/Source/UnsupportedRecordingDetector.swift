import Foundation
import TesseraDocuments
import TesseraMessages

/// Recognizes recordings that are not supported, so that the user learns why nothing is rendered.
enum UnsupportedRecordingDetector {
  /// Returns the error for a folder that no importer recognizes but that is a known format; `nil`
  /// if it is not.
  static func refusal(_ folder: ImporterInput) -> DocumentError? {
    if let path = bigBlueButton(folder) {
      let media = folder.mediaFiles.map(\.path).sorted().prefix(3).joined(separator: ", ")
      return DocumentError(
        file: path,
        reason:
          "it belongs to a BigBlueButton recording, which cannot be read yet; give its webcams by "
          + "name (\(media.isEmpty ? "video/*" : media)), with \(option: "offset") if they do not start together"
      )
    }
    if let left = folder.playlists.leftOut.first, folder.mediaFiles.isEmpty {
      return DocumentError(file: left.path, reason: left.why)
    }
    return nil
  }

  /// Returns the notes about playlists and unsupported media files beside other recordings.
  static func notes(_ folder: ImporterInput) -> [UserMessage] {
    let unread = folder.source.files.lazy.compactMap { file -> UserMessage? in
      FileNameClassifier.unread[FileNameClassifier.fileExtension(file.path)].map {
        "\(file: file.path) is left out: \($0) is a format that Tessera does not read; ffmpeg converts it."
      }
    }
    return folder.playlists.leftOut.prefix(20).map { "\(file: $0.path) is left out: \($0.why)." }
      + unread.prefix(20)
  }

  /// Returns the file that identifies a BigBlueButton recording, raw or published; `nil` if there
  /// is none.
  private static func bigBlueButton(_ folder: ImporterInput) -> String? {
    let paths = folder.source.files.filter { $0.size <= 64 << 20 }
    for file in paths where FileNameClassifier.fileName(file.path) == "events.xml" {
      guard let bytes = try? folder.source.read(file.path) else { continue }
      let head = String(decoding: bytes.prefix(4096), as: UTF8.self)
      if head.contains("<recording ") && head.contains("meeting_id=") { return file.path }
    }
    let names = Dictionary(
      paths.map { (FileNameClassifier.fileName($0.path), $0.path) },
      uniquingKeysWith: { first, _ in first }
    )
    guard let shapes = names["shapes.svg"] else { return nil }
    let isPublished =
      names["metadata.xml"] != nil || names.keys.contains { $0.hasPrefix("webcams.") }
    return isPublished ? shapes : nil
  }
}
