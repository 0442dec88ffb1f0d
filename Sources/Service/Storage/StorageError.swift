package import TesseraSystem

/// Why something is not fetched or uploaded, in one sentence without secrets.
package struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
  package typealias Kind = RenderError.Kind

  /// The side that has to act.
  package let kind: Kind
  /// The sentence, with options as values.
  package let sentence: Message
  /// The sentence for the command line.
  package var description: String { sentence.commandLine }
  /// Whether the server says that there is nothing of that name.
  package internal(set) var isAbsence = false
  /// Whether what is there is another object than the one that was asked for.
  package internal(set) var isChange = false

  /// Whether somebody else has ended an upload that was under way.
  package internal(set) var isEnd = false

  /// The error that says `description`.
  package init(_ kind: Kind, _ description: String) { self.init(kind, Message(description)) }

  /// The error that says `sentence`.
  package init(_ kind: Kind, _ sentence: Message) { (self.kind, self.sentence) = (kind, sentence) }

  /// The error of what is not there.
  static func absent(_ description: String) -> StorageError {
    var error = StorageError(.failure, description)
    error.isAbsence = true
    return error
  }

  /// The error of what became another object.
  static func changed(_ description: String) -> StorageError {
    var error = StorageError(.temporary, description)
    error.isChange = true
    return error
  }

  /// The error of an upload that somebody else has ended.
  static func ended(_ description: String) -> StorageError {
    var error = StorageError(.temporary, description)
    error.isEnd = true
    return error
  }

  static let stopped = StorageError(.cancelled, "stopped.")
}

extension RenderError {
  /// Why something is not fetched or uploaded.
  package init(_ error: StorageError) { self.init(error.kind, error.sentence) }
}
