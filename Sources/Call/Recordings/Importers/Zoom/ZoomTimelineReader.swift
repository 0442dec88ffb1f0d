import TesseraDocuments
import TesseraTimeline

/// Reads Zoom's `timeline.json`: the active speaker, with times from the recording's beginning.
enum ZoomTimelineReader {
  /// Adds speaker events for the participants of the recording; `entry` is its manifest.
  static func add(
    _ folder: ImporterInput, _ entry: ManifestObject, to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    let files = entry.list("recording_files")
    let own = files.first { $0.text("file_type")?.uppercased() == "TIMELINE" } ?? files.first
    guard let start = try own?.date("recording_start") else { return }
    let people = Dictionary(
      builder.recording.participants.map { ($0.name.lowercased(), $0.id) },
      uniquingKeysWith: { first, _ in first })
    for manifest in folder.manifests {
      let document = ManifestObject(manifest)
      let refined = document.list("timeline_refine")
      let moments = refined.isEmpty ? document.list("timeline") : refined
      for moment in moments {
        guard let time = moment.text("ts").flatMap({ MediaTime($0) }) else { continue }
        let names = moment.list("users").compactMap { $0.text("username")?.lowercased() }
        let id = names.lazy.compactMap { people[$0] }.first
        // A speaker without a recording is skipped.
        guard id != nil || names.isEmpty else { continue }
        builder.add(CallEvent(start + time, .speaking(id)))
      }
    }
  }
}
