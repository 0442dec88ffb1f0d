import TesseraDocuments

/// Imports Daily's raw tracks from file names, the manifest of raw-tracks-tools, and the event
/// JSON.
///
/// Only the event JSON contains names and pauses. Where sources contradict each other, the event
/// JSON wins.
enum DailyImporter: Importer {
  static let format = "daily"

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
    // The manifest comes first, because it identifies the recording. Files of other recordings in
    // the folder are then left out.
    for manifest in folder.manifests(isManifest) { try tracks.add(ManifestEntry(manifest)) }
    var events = DailyEvents()
    for manifest in folder.manifests(isEvents) {
      try events.read(ManifestEntry(manifest), into: &tracks)
    }
    tracks.addFiles()
    return try tracks.recording(events)
  }
}
