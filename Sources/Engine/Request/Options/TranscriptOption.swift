import Foundation
public import TesseraTimeline

/// What was said, or what one person said: `call.vtt`, `ada=ada.json`,
/// `ada=stems/Ada.json:start=0`.
public struct TranscriptOption: Hashable, Sendable {
  /// The path of a file in WebVTT or SubRip, or of the JSON of a recognizer.
  public var path: String
  /// Whose words they are; nil where the file says it.
  public var person: String?
  /// Where its times begin on the call's timeline; nil is the recording's own clock.
  public var start: MediaTime?

  /// What the file at `path` says, of `person` only where one is named.
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
    // A name may hold the sign, too.
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

/// A file that what was said is written to, in the format that its name's ending says.
package struct TranscriptOutput: Hashable, Sendable, OptionValue {
  /// The file.
  package var path: String

  package static let endings = ["vtt", "srt", "txt", "md", "json"]

  package init?(option text: String) {
    path = text
    guard Self.endings.contains(ending) else { return nil }
  }

  package var optionText: String { path }

  /// The ending of its name.
  package var ending: String { URL(fileURLWithPath: path).pathExtension.lowercased() }
}
