import TesseraDocuments
import TesseraTimeline

/// The folder of a recording that Zoom made on somebody's computer: `Audio Record/audioAda1234.m4a`
/// is somebody's own; `video1234.mp4`, `zoom_0.mp4`, `audio1234.m4a` and `audio_only.m4a` are
/// mixes, and so is `GMT20251009-085320_Recording_1920x1080.mp4` from the cloud.
enum ZoomLocal {
  /// The speaker of the file; nil where it is not somebody's own.
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
    let own = folder.mediaFiles.map(\.path).filter { speaker($0) != nil }
    let mixes = folder.mediaFiles.map(\.path).filter { speaker($0) == nil }
    if try !builder.addMix(of: mixes, replacing: own) {
      for path in own {
        guard let person = speaker(path) else { continue }
        let id = builder.person(person, name: spaced(person))
        try builder.add(
          Track(id: MediaNames.stem(path), file: path, kind: .microphone, start: .zero), to: id,
          at: DocumentError(file: path, reason: ""))
      }
      for path in mixes.prefix(20) { builder.leaveOut(path, RecordingBuilder.isMix) }
    }
    let words = ["transcript", "cc"].lazy.compactMap { transcript(folder, type: $0) }.first
    builder.recording.transcripts = words.map { [TranscriptSource(file: $0)] } ?? []
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

  /// Whether a file of that name is a mix of everyone.
  static func isMix(_ stem: String) -> Bool { take(stem) != nil }

  /// Which take of a call that was stopped and started again a mix of that name is: `zoom_1` and
  /// `audio_only_1`, `video1234567890`, or a file of the cloud's; nil where it is none of Zoom's.
  static func take(_ stem: String) -> Int? {
    let words = stem.lowercased().split { " -_.".contains($0) }
    if stem.hasPrefix("GMT20") {
      let digits = words.prefix(2).joined().filter(\.isNumber)
      return words.contains("recording") || words.contains { $0.hasPrefix("recording") }
        ? Int(digits) ?? 0 : nil
    }
    if words == ["audio", "only"] { return 0 }
    if words.count == 3, words.starts(with: ["audio", "only"]) { return Int(words[2]) }
    if words.count == 2, words[0] == "zoom" { return Int(words[1]) }
    // A number of Zoom's has eight digits at least, and fewer than the milliseconds since 1970.
    guard words.count == 1, let word = words.first else { return nil }
    let digits = word.drop(while: \.isLetter)
    guard ["video", "audio"].contains(word.prefix(while: \.isLetter)),
      (8...12).contains(digits.utf8.count),
      digits.utf8.count > 8 || WallTime.day(Array(digits.utf8)[...]) == nil
    else { return nil }
    return Int(digits)
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
