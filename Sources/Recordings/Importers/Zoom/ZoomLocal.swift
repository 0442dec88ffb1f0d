import TesseraDocuments

/// The folder of a recording that Zoom made on somebody's computer: `Audio Record/audioAda1234.m4a`
/// is somebody's own; `video1234.mp4`, `zoom_0.mp4`, `audio1234.m4a` and `audio_only.m4a` are
/// mixes, and so is `GMT20251009-085320_Recording_1920x1080.mp4` from the cloud.
enum ZoomLocal {
  /// Who speaks in the file; nil where it is not somebody's own.
  static func speaker(_ path: String) -> String? {
    let folder = MediaNames.folders(path).last?.lowercased()
    let stem = MediaNames.stem(path)
    guard folder == "audio record" || folder == "audio_record",
      MediaNames.kind(path) == .audio, stem.lowercased().hasPrefix("audio")
    else { return nil }
    var name = stem.dropFirst(5)
    // A meeting's number has nine digits at least; before it stands a counter of the speakers.
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard digits < name.count else { return nil }
    name = name.dropLast(digits)
    let person = String(name).trimmed
    return person.isEmpty ? nil : person
  }

  static func recording(_ folder: ImportFolder) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    var mixes: [String] = []
    for file in folder.mediaFiles {
      guard let person = speaker(file.path) else {
        mixes.append(file.path)
        continue
      }
      let id = builder.person(person, name: spaced(person))
      try builder.add(
        Track(id: MediaNames.stem(file.path), file: file.path, kind: .microphone), to: id,
        at: DocumentError(file: file.path, reason: ""))
    }
    if builder.recording.tracks.isEmpty { try addComposite(of: &mixes, to: &builder) }
    let words = ["transcript", "cc"].lazy.compactMap { transcript(folder, type: $0) }.first
    builder.recording.transcripts = words.map { [TranscriptSource(file: $0)] } ?? []
    for path in mixes.prefix(20) { builder.leaveOut(path, RecordingBuilder.isMix) }
    return try builder.finish(isWallClock: false, folder: folder)
  }

  /// What was said, as `GMT20251009-085320_Recording.transcript.vtt` has it; `.cc.vtt` has
  /// captions.
  static func transcript(_ folder: ImportFolder, type: String) -> String? {
    folder.source.files.map(\.path).first { path in
      let name = MediaNames.fileName(path).lowercased()
      return name.hasSuffix(".\(type).vtt") || name == "\(type).vtt"
    }
  }

  /// Whether a file of that name is a mix of everyone: `zoom_0`, `audio_only`, `video1234567890`,
  /// or a file of the cloud's.
  static func isMix(_ stem: String) -> Bool {
    let words = stem.lowercased().split { " -_.".contains($0) }
    if stem.hasPrefix("GMT20") { return words.contains("recording") }
    if words == ["audio", "only"] { return true }
    if words.count == 2, words[0] == "zoom" { return words[1].allSatisfy(\.isNumber) }
    // A meeting's number has nine digits at least, and fewer than the milliseconds since 1970.
    guard words.count == 1, let word = words.first else { return false }
    let digits = word.drop(while: \.isLetter)
    return ["video", "audio"].contains(word.prefix(while: \.isLetter))
      && (9...12).contains(digits.utf8.count)
      && digits.allSatisfy(\.isNumber)
  }

  /// Adds what Zoom has mixed as one participant, where there is nothing else: its video, of
  /// several views of one meeting the plainest, else its sound. Parts of a recording that was
  /// paused follow each other. What is taken is removed from `mixes`.
  private static func addComposite(
    of mixes: inout [String], to builder: inout RecordingBuilder
  ) throws(DocumentError) {
    let videos = mixes.filter { MediaNames.kind($0) == .video }
    let parts = videos.filter { MediaNames.stem($0).lowercased().hasPrefix("zoom_") }
    let candidates = videos.isEmpty ? mixes : videos
    let plainest = candidates.min { ($0.count, $0) < ($1.count, $1) }
    let taken = parts.isEmpty ? [plainest].compactMap { $0 } : parts
    guard let first = taken.first else { return }
    let id = builder.person("everyone", name: "Everyone")
    for path in taken.sorted(by: { ($0.count, $0) < ($1.count, $1) }) {
      var track = Track(id: MediaNames.stem(path), file: path)
      track.follows = builder.lastTrackID
      try builder.add(track, to: id, at: DocumentError(file: path, reason: ""))
    }
    builder.noteComposite(first)
    mixes.removeAll(where: taken.contains)
  }

  /// `AdaLovelace` with its blank again, which Zoom takes out.
  private static func spaced(_ name: String) -> String {
    var result = ""
    for letter in name {
      if letter.isUppercase, result.last?.isLowercase == true { result += " " }
      result.append(letter)
    }
    return result
  }
}
