package import TesseraDocuments
import TesseraMessages
import TesseraTimeline

/// The session file format: a recording as YAML or JSON, which users can edit.
///
/// `session.schema.json` in this module's folder describes the format for editors.
public enum SessionFile {
  /// The version of the format.
  public static let version = 1
  /// The name of the format in messages.
  static let kind = "a session file"

  /// Reads a session file.
  ///
  /// - Parameters:
  ///   - document: the content of the file.
  ///   - file: the file's name for messages.
  ///   - isPresent: returns true if a file exists, given its path relative to the session file's
  ///     folder; `nil` skips the check.
  ///   - known: the existing paths, for hints about misspelled ones.
  ///   - mayLeaveFolder: true to allow paths that lead out of the session file's folder.
  ///   - allowsMissing: true to allow missing recordings.
  /// - Returns: the recording, with its events in order of time.
  /// - Throws: one sentence with the key's path: for an unknown key, a wrong type, an impossible
  ///   time, a duplicate identifier or a missing file.
  package static func recording(
    from document: DocumentValue, file: String, isPresent: ((String) -> Bool)? = nil,
    known: [String] = [], mayLeaveFolder: Bool = true, allowsMissing: Bool = false
  ) throws(DocumentError) -> Recording {
    var cursor = try DocumentMemberReader(document, file: file, kind: kind)
    let version = cursor.take("version")
    guard version == nil || version?.numeral?.integer == Self.version else {
      throw DocumentError(
        file: file, path: "version", reason: "must be \(Self.version), the supported version")
    }
    guard version != nil else {
      throw DocumentError(
        file: file, path: "version", reason: "is missing: begin a session file with \"version: 1\"")
    }
    // The program that wrote the file; not part of the recording.
    _ = cursor.take("made-by")
    var recording = Recording()
    recording.title = try cursor.text("title")
    recording.startedAt = try cursor.wallTime("started-at")
    recording.layout = try cursor.layout("layout")
    recording.canvas = try CanvasSettings(try cursor.object("canvas"))
    if var edits = try cursor.object("edits") { recording.edits = try EditList(&edits) }
    recording.chapters = try cursor.chapters("chapters", file)
    recording.trimsIdle = try cursor.bool("trim-idle")
    recording.alignment = try cursor.choice("align", of: AlignmentMethod.self)
    var people = SessionParticipantReader(
      paths: SessionPathValidator(
        isPresent: isPresent, known: known, mayLeaveFolder: mayLeaveFolder,
        allowsMissing: allowsMissing))
    recording.participants = try people.participants(&cursor)
    recording.events = try SessionEventReader(people).events(&cursor)
    recording.shots = try SessionShotCoder(people: people).shots(&cursor)
    recording.overlays = try people.paths.overlays(&cursor)
    recording.transcripts = try people.transcripts(&cursor)
    recording.outputs = try cursor.namedOutputs("outputs")
    recording.notes = try cursor.texts("notes") ?? []
    recording.leftOut = Set(try cursor.texts("left-out") ?? [])
    try cursor.finish()
    if !mayLeaveFolder, let path = recording.pathOutside {
      throw DocumentError(
        file: file, reason: "\(file: path) leads out of the folder, which a recording must not")
    }
    return recording
  }
}

extension DocumentMemberReader {
  /// Takes a time on the timeline, between 0 and ``Recording/maximumTime``.
  mutating func timelineTime(_ key: String) throws(DocumentError) -> MediaTime? {
    guard let time = try time(key) else { return nil }
    guard time >= .zero else { throw wrong(key, "must not be negative") }
    guard time <= Recording.maximumTime else {
      throw wrong(key, "is later than a week, which is the longest recording")
    }
    return time
  }

  /// Takes a list of chapters.
  fileprivate mutating func chapters(
    _ key: String, _ file: String
  ) throws(DocumentError) -> [ChapterFileReader.ChapterMark] {
    var marks: [ChapterFileReader.ChapterMark] = []
    for var cursor in try objects(key) ?? [] {
      let time = try cursor.timelineTime("at")
      let title = try cursor.text("title")
      marks.append(
        ChapterFileReader.ChapterMark(
          try cursor.required(time, "at"), try cursor.required(title, "title")))
      try cursor.finish()
    }
    return marks.isEmpty ? [] : try ChapterFileReader.checked(marks, file)
  }

  /// Takes a date with a time, in ISO 8601.
  mutating func wallTime(_ key: String) throws(DocumentError) -> MediaTime? {
    guard let text = try text(key) else { return nil }
    guard let time = WallClockFormat.parse(text) else {
      throw invalid(key, "a date and time such as 2025-10-09T08:53:20Z")
    }
    return time
  }

  /// Takes a layout: a name with options, or an object with regions or a stylesheet.
  mutating func layout(_ key: String) throws(DocumentError) -> RequestedLayout? {
    guard let value = take(key) else { return nil }
    if let text = value.text, !text.isEmpty { return .named(text) }
    guard let object = value.object, object.all.count == 1, let member = object.all.first else {
      throw invalid(key, "a layout's name, or an object with \"regions\" or \"stylesheet\"")
    }
    switch (member.key, member.value) {
    case ("regions", .object): return .regions(json: member.value.json())
    case ("stylesheet", .text(let text)): return .stylesheet(text)
    case ("regions", _): throw wrong("\(key).regions", "must be an object")
    case ("stylesheet", _): throw wrong("\(key).stylesheet", "must be text")
    default:
      throw wrong(
        "\(key).\(member.key)",
        "is not a key of a session file: the keys are regions, stylesheet")
    }
  }

  /// Takes a list of outputs. Only plain file names are allowed, so that a session file from
  /// elsewhere cannot choose folders.
  mutating func namedOutputs(_ key: String) throws(DocumentError) -> [SessionOutput] {
    let outputs = try outputs(key) ?? []
    for (index, output) in outputs.enumerated()
    where output.file.isEmpty || output.file.contains("/") || output.file.hasPrefix(".") {
      throw wrong(
        "\(key)[\(index)].file",
        "must be a name without a folder: it is written beside the main output")
    }
    return outputs
  }

  /// Returns the error that the member `key` is wrong for `reason`.
  func wrong(_ key: String, _ reason: UserMessage) -> DocumentError {
    DocumentError(file: file, path: name(key), reason: reason)
  }
}

extension CanvasSettings {
  fileprivate init(_ cursor: DocumentMemberReader?) throws(DocumentError) {
    self.init()
    guard var cursor else { return }
    if let text = try cursor.text("size") {
      guard Self.isSize(text) else { throw cursor.invalid("size", "a size such as 1920x1080") }
      size = text
    }
    let fps = try cursor.identifier("fps")
    if let text = fps, text != "auto" {
      guard let rate = FrameRate(text) else {
        throw cursor.invalid("fps", "frames a second such as 30 or 30000/1001, or auto")
      }
      frameRate = rate
    }
    background = try cursor.text("background")
    options =
      (fps == "auto" ? [SessionOutput.Option("fps", ["auto"])] : []) + (try cursor.options())
    try cursor.finish()
  }

  /// True if `text` is a size such as `1280x720`, one side of which may be `auto`, or a height as
  /// in `720p`.
  static func isSize(_ text: String) -> Bool {
    if text.hasSuffix("p") { return isSize("autox\(text.dropLast())") }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false)
    let numbers = sides.filter { side in
      side.utf8.count <= 5 && side.utf8.allSatisfy { (48...57).contains($0) }
        && (Int(side) ?? 0) > 0
    }
    return sides.count == 2 && numbers.count + sides.filter { $0 == "auto" }.count == 2
      && !numbers.isEmpty
  }
}

extension SessionFile {
  /// Parses the text of a session file without checking that its files exist.
  ///
  /// - Throws: one sentence that names `file` and the wrong key.
  public static func recording(from text: String, file: String) throws -> Recording {
    let document = try DocumentValue(Array(text.utf8), .yaml, file: file)
    return try recording(from: document, file: file)
  }

  /// Encodes a recording as the text of a session file, in YAML.
  public static func text(_ recording: Recording) -> String { text(recording, .yaml) }
}
