import TesseraDocuments

/// The folder of a recording that Zoom made on somebody's computer: `Audio Record/audioAda1234.m4a`
/// is somebody's own; `video1234.mp4`, `zoom_0.mp4` and `audio1234.m4a` are mixes.
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
    for path in mixes.prefix(20) {
      builder.note("\(path) is left out: everyone is mixed in there already.")
    }
    return try builder.finish(isWallClock: false, folder: folder)
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
