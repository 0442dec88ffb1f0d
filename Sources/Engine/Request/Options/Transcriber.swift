/// An external speech recognizer: `whisper-cli -m model.bin -f {wav} -oj -of {out}`. It is started
/// once for each participant, directly with its arguments and without a shell.
public struct Transcriber: Hashable, Sendable {
  /// The command as the user wrote it.
  public let text: String
  /// The program, followed by its arguments.
  package let words: [String]

  /// The placeholders for the voice file, for the result's path without extension, and for the
  /// folder of both.
  static let (wave, result, folder) = ("{wav}", "{out}", "{dir}")

  /// Parses the command `text`, in which quotation marks and backslashes group words. Returns `nil`
  /// if a quotation is not closed, or if no argument contains `{wav}`.
  public init?(_ text: String) {
    guard let words = Self.split(text),
      words.dropFirst().contains(where: { $0.contains(Self.wave) })
    else { return nil }
    (self.text, self.words) = (text, words)
  }

  /// Returns the arguments with the placeholders replaced by these paths.
  package func arguments(wave: String, result: String, folder: String) -> [String] {
    words.dropFirst().map {
      $0.replacing(Self.wave, with: wave).replacing(Self.result, with: result)
        .replacing(Self.folder, with: folder)
    }
  }

  private static func split(_ text: String) -> [String]? {
    var (words, word, quote) = ([String](), String?.none, Character?.none)
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "\\", quote != "'" {
        guard let next = rest.popFirst() else { return nil }
        word = (word ?? "") + String(next)
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        (quote, word) = (character, word ?? "")
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    if let word { words.append(word) }
    return words
  }
}

extension Transcriber: OptionValue {
  package init?(option text: String) { self.init(text) }

  package var optionText: String { text }
}
