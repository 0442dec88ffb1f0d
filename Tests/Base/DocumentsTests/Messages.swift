import TesseraDocuments

/// Returns the message of the error that `work` throws, or `nil`.
func message(_ work: () throws -> Void) -> String? {
  do {
    try work()
    return nil
  } catch {
    return "\(error)"
  }
}

extension DocumentValue {
  /// Parses `text` as a document with the file name `a file`.
  static func read(_ text: String, _ syntax: Syntax = .json) throws -> DocumentValue {
    try DocumentValue(text, syntax, file: "a file")
  }
}
