package import TesseraMessages

/// The reason why a file cannot be read, as one sentence with the file and the key.
package struct DocumentError: Error, Hashable, Sendable {
  /// The name of the file for error messages.
  package var file: String
  /// The path of the wrong value, such as `participants[0].tracks[2].start`; empty for the whole
  /// file.
  package var path: String
  /// The problem: `must be text` for a value, or `it is not JSON` for the whole file.
  package var reason: UserMessage

  package init(file: String, path: String = "", reason: UserMessage) {
    self.file = file
    self.path = path
    self.reason = reason
  }
}

extension DocumentError: MessageConvertible, CustomStringConvertible {
  package var sentence: UserMessage {
    let end = reason.commandLine.hasSuffix("?") ? "" : "."
    return path.isEmpty
      ? "\(file: file) cannot be read: \(reason)\(end)"
      : "\(file: file): \"\(path)\" \(reason)\(end)"
  }
}
