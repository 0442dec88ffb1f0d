import TesseraDocuments
import TesseraTimeline

/// Daily's raw tracks: by their file names, by the manifest of raw-tracks-tools, and by the event
/// JSON, which knows names and pauses. What several of them say of a file, the event JSON decides.
enum DailyImporter: Importer {
  static let format = "daily"
  static let summary = "Daily raw tracks: file names, manifest, event JSON"

  static func score(_ folder: ImportFolder) -> Int {
    if folder.holds(isManifest) || folder.holds(isEvents) { return 100 }
    guard folder.source.manifest == nil else { return 0 }
    return folder.mediaFiles.contains { DailyName(MediaNames.stem($0.path)) != nil } ? 90 : 0
  }

  private static func isManifest(_ manifest: ImportFolder.Manifest) -> Bool {
    manifest.document["recordingStartTs"] != nil
  }

  private static func isEvents(_ manifest: ImportFolder.Manifest) -> Bool {
    manifest.document["recording"]?["type"]?.text == "raw-tracks"
      && manifest.document["events"]?.list != nil
  }

  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording {
    var tracks = DailyTracks(folder: folder)
    // Files of another recording in the folder do not belong to the manifest's.
    for manifest in folder.manifests(isManifest) { try tracks.add(ManifestEntry(manifest)) }
    var events = DailyEvents()
    for manifest in folder.manifests(isEvents) {
      try events.read(ManifestEntry(manifest), into: &tracks)
    }
    tracks.addFiles()
    return try tracks.recording(events)
  }
}
