/// Why a file cannot be understood: one sentence with the file and the key.
package struct DocumentError: Error, Hashable, Sendable {
  /// What the file is called in messages.
  package var file: String
  /// The way to the value that is wrong, such as `participants[0].tracks[2].start`; empty where it
  /// is the whole file.
  package var path: String
  /// What is wrong with it: `must be text`, or of the whole file `it is not JSON`.
  package var reason: String

  /// The error `reason` at `path` of `file`.
  package init(file: String, path: String = "", reason: String) {
    self.file = file
    self.path = path
    self.reason = reason
  }
}

extension DocumentError: CustomStringConvertible {
  package var description: String {
    let end = reason.hasSuffix("?") ? "" : "."
    return path.isEmpty
      ? "\(file) cannot be read: \(reason)\(end)" : "\(file): \"\(path)\" \(reason)\(end)"
  }
}
