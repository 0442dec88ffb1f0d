package import TesseraMessages
package import TesseraSystem

/// The error of a fetch or an upload: one sentence without secrets.
package struct StorageError: Error, Hashable, Sendable, MessageConvertible, CustomStringConvertible
{
  package typealias Kind = RenderError.Kind

  /// The kind of error, which decides about the exit code and about a retry.
  package let kind: Kind
  /// The sentence, with option names and paths as values.
  package let sentence: UserMessage
  /// True if the server reports that the object does not exist.
  package internal(set) var isAbsence = false
  /// True if the object has been replaced since it was first requested.
  package internal(set) var isChange = false

  /// True if another process has ended an open upload.
  package internal(set) var isEnd = false

  /// Creates an error with the sentence `sentence`.
  package init(_ kind: Kind, _ sentence: UserMessage) {
    (self.kind, self.sentence) = (kind, sentence)
  }

  /// Creates the error for an object that does not exist.
  static func absent(_ sentence: UserMessage) -> StorageError {
    var error = StorageError(.failure, sentence)
    error.isAbsence = true
    return error
  }

  /// Creates the error for an object that has been replaced.
  static func changed(_ sentence: UserMessage) -> StorageError {
    var error = StorageError(.temporary, sentence)
    error.isChange = true
    return error
  }

  /// Creates the error for an upload that another process has ended.
  static func ended(_ sentence: UserMessage) -> StorageError {
    var error = StorageError(.temporary, sentence)
    error.isEnd = true
    return error
  }

  static let stopped = StorageError(.cancelled, "stopped.")
}

extension RenderError {
  /// Converts an error of a fetch or an upload.
  package init(_ error: StorageError) { self.init(error.kind, error.sentence) }
}
