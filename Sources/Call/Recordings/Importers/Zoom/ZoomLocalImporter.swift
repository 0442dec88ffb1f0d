import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// Imports the folder of a local Zoom recording, and mixes of a cloud recording without a manifest.
///
/// `Audio Record/audioAda1234.m4a` is the sound of a participant. `video1234.mp4`, `zoom_0.mp4`,
/// `audio1234.m4a`, `audio_only.m4a` and the cloud's `GMT20251009-085320_Recording_1920x1080.mp4`
/// are mixes.
enum ZoomLocalImporter {
  /// Returns the speaker in a sound file's name; `nil` if the file is not a participant's own.
  static func speaker(_ path: String) -> String? {
    let folder = FileNameClassifier.folders(path).last?.lowercased()
    let stem = FileNameClassifier.stem(path)
    guard folder == "audio record" || folder == "audio_record",
      FileNameClassifier.kind(path) == .audio, stem.lowercased().hasPrefix("audio")
    else { return nil }
    var name = stem.dropFirst(5)
    // The name is followed by a counter of the speakers and the meeting's number of at least nine
    // digits.
    let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard digits < name.count else { return nil }
    name = name.dropLast(digits)
    let person = String(name).trimmed
    return person.isEmpty ? nil : person
  }

  static func recording(_ folder: ImporterInput) throws(DocumentError) -> Recording {
    var builder = RecordingBuilder()
    let own = folder.mediaFiles.map(\.path).filter { speaker($0) != nil }
    let mixes = folder.mediaFiles.map(\.path).filter { speaker($0) == nil }
    if try !builder.addMix(of: mixes, replacing: own) {
      for path in own {
        guard let person = speaker(path) else { continue }
        let id = builder.person(person, name: spaced(person))
        try builder.add(
          Track(id: FileNameClassifier.stem(path), file: path, kind: .microphone, start: .zero),
          to: id,
          at: DocumentError(file: path, reason: ""))
      }
      for path in mixes.prefix(20) { builder.leaveOut(path, RecordingBuilder.isMix) }
    }
    let words = ["transcript", "cc"].lazy.compactMap { transcript(folder, type: $0) }.first
    builder.recording.transcripts = words.map { [TranscriptReference(file: $0)] } ?? []
    return try builder.finish(isWallClock: false, folder: folder)
  }

  /// Returns the path of the transcript (`GMT20251009-085320_Recording.transcript.vtt`) or the
  /// captions (`.cc.vtt`), as `type` states; `nil` if there is none.
  static func transcript(_ folder: ImporterInput, type: String) -> String? {
    folder.source.files.map(\.path).first { path in
      let name = FileNameClassifier.fileName(path).lowercased()
      return name.hasSuffix(".\(type).vtt") || name == "\(type).vtt"
    }
  }

  /// True if a file name denotes a mix of everyone.
  static func isMix(_ stem: String) -> Bool { take(stem) != nil }

  /// Returns the number of the take in the name of a mix; `nil` if the name is not one of Zoom's.
  ///
  /// A call that was stopped and started again has several takes: `zoom_1`, `audio_only_1`,
  /// `video1234567890`, or files of the cloud.
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
    // Zoom's numbers have at least eight digits, and fewer than milliseconds since 1970.
    guard words.count == 1, let word = words.first else { return nil }
    let digits = word.drop(while: \.isLetter)
    guard ["video", "audio"].contains(word.prefix(while: \.isLetter)),
      (8...12).contains(digits.utf8.count),
      digits.utf8.count > 8 || WallClockFormat.day(Array(digits.utf8)[...]) == nil
    else { return nil }
    return Int(digits)
  }

  /// Returns the name with the blanks that Zoom removed: `Ada Lovelace` for `AdaLovelace`.
  private static func spaced(_ name: String) -> String {
    var result = ""
    for letter in name {
      if letter.isUppercase, result.last?.isLowercase == true { result += " " }
      result.append(letter)
    }
    return result
  }
}
