import TesseraDocuments

/// What is said where `work` fails; nil where it does not.
func message(_ work: () throws -> Void) -> String? {
  do {
    try work()
    return nil
  } catch {
    return "\(error)"
  }
}

extension Document {
  /// The document that `text` writes, in a file called `a file`.
  static func read(_ text: String, _ syntax: Syntax = .json) throws -> Document {
    try Document(text, syntax, file: "a file")
  }
}
