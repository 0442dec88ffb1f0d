/// A program of one's own that writes down what is said: `whisper-cli -m model.bin -f {wav} -oj -of
/// {out}`. It is started once for each person, with its arguments as they are, not by a shell.
public struct Transcriber: Hashable, Sendable {
  /// The command as somebody has written it.
  public let text: String
  /// The program and its arguments.
  package let words: [String]

  /// What stands for the file with the voice, and for the result's path without its ending.
  static let (wave, result) = ("{wav}", "{out}")

  /// The command `text`, in which quotation marks and backslashes keep words together; nil where a
  /// quotation does not end, or `{wav}` does not stand in an argument.
  public init?(_ text: String) {
    guard let words = Self.split(text),
      words.dropFirst().contains(where: { $0.contains(Self.wave) })
    else { return nil }
    (self.text, self.words) = (text, words)
  }

  /// The arguments for these files.
  package func arguments(wave: String, result: String) -> [String] {
    words.dropFirst().map {
      $0.replacing(Self.wave, with: wave).replacing(Self.result, with: result)
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
