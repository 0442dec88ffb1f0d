import Foundation
public import TesseraTimeline

/// A transcript file, of the whole call or of one participant: `call.vtt`, `ada=ada.json`,
/// `ada=stems/Ada.json:start=0`.
public struct TranscriptOption: Hashable, Sendable {
  /// The path of a WebVTT or SubRip file, or of a speech recognizer's JSON.
  public var path: String
  /// The participant whose words the file contains; `nil` if the file names the speakers.
  public var person: String?
  /// The time of the call at which the file's times start; `nil` if they follow the recording's own
  /// clock.
  public var start: MediaTime?

  /// Creates an option for the file at `path`, with the words of `person` if one is given.
  public init(path: String, person: String? = nil, start: MediaTime? = nil) {
    (self.path, self.person, self.start) = (path, person, start)
  }
}

extension TranscriptOption: FileOptionValue {
  package init?(option text: String) {
    var rest = text
    var start: MediaTime?
    if let colon = text.range(of: ":start=", options: .backwards) {
      rest = String(text[..<colon.lowerBound])
      guard let time = MediaTime(signed: text[colon.upperBound...]) else { return nil }
      start = time
    }
    // Both the participant's name and the path may contain `=`. The first split that leaves an
    // existing file wins.
    let signs = rest.indices.filter { rest[$0] == "=" && $0 > rest.startIndex }
    let sign =
      FileManager.default.fileExists(atPath: rest)
      ? nil
      : signs.first { FileManager.default.fileExists(atPath: String(rest[$0...].dropFirst())) }
        ?? signs.first
    let path = sign.map { String(rest[$0...].dropFirst()) } ?? rest
    guard !path.isEmpty else { return nil }
    self.init(path: path, person: sign.map { String(rest[..<$0]) }, start: start)
  }

  package var optionText: String {
    (person.map { "\($0)=" } ?? "") + path + (start.map { ":start=\($0)" } ?? "")
  }

  package var file: String? {
    get { path }
    set { if let newValue { path = newValue } }
  }
}

/// A file to write the transcript to. Its extension selects the format.
package struct TranscriptOutput: Hashable, Sendable, OptionValue {
  package var path: String

  package static let endings = ["vtt", "srt", "txt", "md", "json"]

  package init?(option text: String) {
    path = text
    guard Self.endings.contains(ending) else { return nil }
  }

  package var optionText: String { path }

  /// The file name's extension in lowercase.
  package var ending: String { URL(fileURLWithPath: path).pathExtension.lowercased() }
}
