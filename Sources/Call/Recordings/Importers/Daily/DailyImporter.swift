import TesseraDocuments

/// Imports Daily's raw tracks from file names, the manifest of raw-tracks-tools, and the event
/// JSON.
///
/// Only the event JSON contains names and pauses. Where sources contradict each other, the event
/// JSON wins.
enum DailyImporter: Importer {
  static let format = "daily"

  static func score(_ folder: ImporterInput) -> Int {
    if folder.holds(isManifest) || folder.holds(isEvents) { return 100 }
    guard folder.source.manifest == nil else { return 0 }
    return folder.mediaFiles.contains { DailyFileName(FileNameClassifier.stem($0.path)) != nil }
      ? 90 : 0
  }

  private static func isManifest(_ manifest: ImporterInput.Manifest) -> Bool {
    manifest.document["recordingStartTs"] != nil
  }

  private static func isEvents(_ manifest: ImporterInput.Manifest) -> Bool {
    manifest.document["recording"]?["type"]?.text == "raw-tracks"
      && manifest.document["events"]?.list != nil
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var tracks = DailyTrackCollector(folder: folder)
    // The manifest comes first, because it identifies the recording. Files of other recordings in
    // the folder are then left out.
    for manifest in folder.manifests(isManifest) { try tracks.add(ManifestObject(manifest)) }
    var events = DailyEventReader()
    for manifest in folder.manifests(isEvents) {
      try events.read(ManifestObject(manifest), into: &tracks)
    }
    tracks.addFiles()
    return try tracks.recording(events)
  }
}
