import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports individual participant recordings of Amazon IVS Real-Time Streaming.
///
/// Paths are `STAGE/SESSION/PARTICIPANT/2025-10-09T08-53-20Z/media/hls/multivariant.m3u8`, with a
/// new folder each time that a participant publishes. Names are not recorded, so participants
/// appear with their identifiers.
enum IVSImporter: Importer {
  static let format = "ivs"

  static func score(_ folder: ImporterInput) -> Int {
    folder.mediaFiles.contains { RecordingPath($0.path) != nil } ? 88 : 0
  }

  /// The parts of a recording's path.
  private struct RecordingPath {
    let participant: String
    let time: MediaTime?
    /// The path of the folder that contains `media` and `events`, with a final slash.
    let prefix: String

    init?(_ path: String) {
      let folders = FileNameClassifier.folders(path).map { String($0) }
      guard FileNameClassifier.fileName(path) == "multivariant.m3u8", folders.count >= 2,
        folders.suffix(2).elementsEqual(["media", "hls"])
      else { return nil }
      let above = folders.dropLast(2)
      prefix = above.map { "\($0)/" }.joined()
      time = above.last.flatMap(WallClockFormat.parse)
      participant = (time == nil ? above.last : above.dropLast().last) ?? "participant"
    }
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    var mixes: [String] = []
    for file in folder.mediaFiles {
      guard let place = RecordingPath(file.path) else {
        builder.leaveOut(file.path, "it is not the recording of a participant.")
        continue
      }
      // Only individual recordings contain a clock; compositions do not.
      guard let date = date(file.path, folder) else {
        mixes.append(file.path)
        continue
      }
      let id = builder.person(place.participant)
      let events = folder.manifests.filter { $0.path.hasPrefix(place.prefix + "events/") }
      if events.contains(where: { FileNameClassifier.stem($0.path) == "recording-failed" }) {
        builder.note("\(file: file.path): the recorder reports that the recording failed.")
      }
      let track = Track(id: place.participant, file: file.path, kind: .camera, start: date)
      try builder.add(track, to: id, at: DocumentError(file: file.path, reason: ""))
    }
    if builder.recording.tracks.isEmpty, let mix = mixes.first {
      throw DocumentError(
        file: mix,
        reason:
          "it is a composition of all participants, or has no clock (EXT-X-PROGRAM-DATE-TIME): give the "
          + "recordings of the participants, or this one alone with \(option: "format") files")
    }
    for mix in mixes {
      builder.leaveOut(mix, "it is a composition of all participants, or has no clock.")
    }
    return try builder.finish(isWallClock: true, folder: folder)
  }

  /// Returns the date of the first segment in the playlists below a multivariant playlist; `nil` if
  /// there is none.
  private static func date(_ path: String, _ folder: ImporterInput) -> MediaTime? {
    let prefix = FileNameClassifier.folders(path).map { "\($0)/" }.joined()
    return folder.playlists.all.lazy.filter { $0.path.hasPrefix(prefix) }.compactMap(\.list.date)
      .min()
  }
}
