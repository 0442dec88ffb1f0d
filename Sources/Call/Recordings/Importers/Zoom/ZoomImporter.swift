import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports Zoom recordings: cloud recordings with `recording.json`, and folders of local
/// recordings.
///
/// Zoom's mixes (its views and the common sound) are left out if there are participants' pictures
/// or a shared screen. Otherwise a mix is rendered as one recording, because separate sound has no
/// pictures. Cloud times are whole seconds. ``ZoomLocalImporter`` reads local folders.
enum ZoomImporter: Importer {
  static let format = "zoom"

  static func score(_ folder: ImporterInput) -> Int {
    if folder.holds(isRecording) { return 100 }
    guard folder.source.manifest == nil else { return 0 }
    if folder.mediaFiles.contains(where: { ZoomLocalImporter.speaker($0.path) != nil }) {
      return 85
    }
    let isMixed = folder.mediaFiles.allSatisfy {
      ZoomLocalImporter.isMix(FileNameClassifier.stem($0.path))
    }
    return isMixed && !folder.mediaFiles.isEmpty && !folder.source.isList ? 80 : 0
  }

  private static func isRecording(_ manifest: ImporterInput.Manifest) -> Bool {
    let document = manifest.document
    let files =
      (document["recording_files"]?.list ?? [])
      + (document["participant_audio_files"]?.list ?? [])
    return files.contains { $0["recording_start"] != nil || $0["recording_type"] != nil }
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    guard let manifest = folder.manifests(isRecording).first else {
      return try ZoomLocalImporter.recording(folder)
    }
    var builder = RecordingBuilder()
    let entry = ManifestObject(manifest)
    builder.recording.title = entry.text("topic")
    var composites: [ManifestObject] = []
    for file in entry.list("recording_files") {
      try add(file, folder, to: &builder, &composites)
    }
    try addTranscript(entry.list("recording_files"), folder, to: &builder)
    let sounds = entry.list("participant_audio_files")
    let cameras = entry.list("participant_video_files")
    let hasPictures = !builder.recording.tracks.isEmpty || !cameras.isEmpty
    let views = composites.filter { isView($0, folder) }
    if !hasPictures, sounds.isEmpty || !views.isEmpty {
      try addComposite(of: &composites, views, folder, to: &builder)
      for file in sounds {
        if let path = try? own(file, isVideo: false, folder).track.file {
          builder.leaveOut(path, RecordingBuilder.isHeardInMix)
        }
      }
    } else {
      for (files, isVideo) in [(sounds, false), (cameras, true)] {
        for file in files {
          let (name, key, track) = try own(file, isVideo: isVideo, folder)
          let id = builder.person(key, name: name)
          try builder.add(track, to: id, at: file.error("recording_end", ""))
        }
      }
    }
    try ZoomTimelineReader.add(folder, entry, to: &builder)
    for file in composites {
      if let track = try? track(file, folder) { builder.leaveOut(track.file) }
    }
    if !composites.isEmpty {
      let types = composites.map { $0.text("recording_type") ?? "a file without a type" }
      builder.note(
        "\(file: entry.file): \(types.prefix(20).joined(separator: ", ")) \(types.count == 1 ? "is" : "are")"
          + " left out: \(RecordingBuilder.isMix)")
    }
    return try builder.finish(isWallClock: true, folder: folder)
  }

  /// The values of `file_type` that are not media.
  private static let others: Set<String> = [
    "CHAT", "TRANSCRIPT", "TIMELINE", "CC", "CSV", "SUMMARY", "CHAT_MESSAGE",
  ]

  private static func add(
    _ file: ManifestObject, _ folder: ImporterInput, to builder: inout RecordingBuilder,
    _ composites: inout [ManifestObject]
  ) throws(DocumentError) {
    let type = file.text("recording_type") ?? ""
    guard !others.contains(file.text("file_type")?.uppercased() ?? "") else { return }
    guard type == "shared_screen" else {
      composites.append(file)
      return
    }
    let id = builder.person("screen", name: "Screen")
    let name = file.text("file_name") ?? file.text("id") ?? "shared_screen"
    try builder.add(
      try track(file, name, "mp4", .screen, folder), to: id, at: file.error("recording_end", ""))
  }

  /// Adds the transcript, or the captions if there is none. Files that were not downloaded are
  /// ignored.
  private static func addTranscript(
    _ files: [ManifestObject], _ folder: ImporterInput, to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    for type in ["TRANSCRIPT", "CC"] {
      for file in files where file.text("file_type")?.uppercased() == type {
        let names = [file.text("file_name"), file.text("id")].compactMap { $0.map { "\($0).vtt" } }
        let named = names.lazy.compactMap { folder.files.find($0, beside: file.file) }.first
        guard let path = named ?? ZoomLocalImporter.transcript(folder, type: type.lowercased())
        else {
          continue
        }
        builder.recording.transcripts.append(
          TranscriptReference(file: path, start: try file.date("recording_start")))
      }
      guard builder.recording.transcripts.isEmpty else { return }
    }
  }

  /// Zoom's views in order of preference, those with the most content first.
  private static let views = [
    "shared_screen_with_gallery_view", "shared_screen_with_speaker_view",
    "shared_screen_with_speaker_view(CC)", "gallery_view", "speaker_view", "active_speaker",
    "production_studio", "audio_only",
  ]

  /// True if the entry is a view with pictures whose file exists.
  private static func isView(_ file: ManifestObject, _ folder: ImporterInput) -> Bool {
    guard file.text("file_type")?.uppercased() ?? "MP4" == "MP4",
      let track = try? track(file, folder)
    else { return false }
    return folder.files.contains(track.file) && FileNameClassifier.kind(track.file) == .video
  }

  /// Adds the preferred view of each take as one participant and removes it from `composites`.
  ///
  /// Chooses from `views`, or from `composites` if there are no views.
  private static func addComposite(
    of composites: inout [ManifestObject], _ views: [ManifestObject], _ folder: ImporterInput,
    to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    let candidates = (views.isEmpty ? composites : views).sorted { rank($0) < rank($1) }
    var (takes, taken): ([Track], Set<String>) = ([], [])
    for file in candidates {
      var track = try track(file, folder)
      track.kind = .media
      let isAnother = takes.allSatisfy { other in
        guard let stop = track.stop, let end = other.stop else { return false }
        return stop <= other.start || end <= track.start
      }
      guard isAnother else { continue }
      takes.append(track)
      taken.insert(file.path)
    }
    composites.removeAll { taken.contains($0.path) }
    let id = builder.mix()
    for track in takes {
      try builder.add(track, to: id, at: DocumentError(file: track.file, reason: ""))
    }
    let first = takes.min { $0.start < $1.start }?.file
    if let first { builder.noteComposite(first, takes: takes.count) }
  }

  private static func rank(_ file: ManifestObject) -> Int {
    views.firstIndex(of: file.text("recording_type") ?? "") ?? views.count
  }

  /// Returns a track of one of Zoom's views, a mix.
  private static func track(
    _ file: ManifestObject, _ folder: ImporterInput
  ) throws(DocumentError) -> Track {
    let name =
      file.text("file_name") ?? file.text("id") ?? file.text("recording_type") ?? "recording"
    return try track(file, name, "mp4", .media, folder)
  }

  /// Returns the name, the identifier and the track of a participant's own file.
  private static func own(
    _ file: ManifestObject, isVideo: Bool, _ folder: ImporterInput
  ) throws(DocumentError) -> (name: String, key: String, track: Track) {
    let name = try file.requiredText("file_name")
    let person = name.split(separator: " - ", maxSplits: 1).last.map(String.init) ?? name
    let (kind, suffix): (TrackKind, String) = isVideo ? (.camera, "mp4") : (.microphone, "m4a")
    return (
      person, file.text("participant_id") ?? person, try track(file, name, suffix, kind, folder)
    )
  }

  private static func track(
    _ file: ManifestObject, _ name: String, _ suffix: String, _ kind: TrackKind,
    _ folder: ImporterInput
  ) throws(DocumentError) -> Track {
    guard let start = try file.date("recording_start") else {
      throw file.missing("recording_start", "a date and time such as 2025-10-09T08:53:20Z")
    }
    let extended = (file.text("file_extension") ?? file.text("file_type") ?? suffix).lowercased()
    let written = "\(name).\(extended)"
    let own = file.text("id").flatMap {
      folder.files.find("\($0).\(extended)", beside: file.file) ?? folder.files.containing($0)
    }
    let path = folder.files.find(written, beside: file.file) ?? own
    var track = Track(
      id: file.text("id") ?? name, file: path ?? folder.files.path(written), kind: kind,
      start: start)
    track.stop = try file.date("recording_end")
    return track
  }
}
