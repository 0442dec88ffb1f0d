package import TesseraSystem

/// Why something is not fetched or uploaded, in one sentence without secrets.
package struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
  package typealias Kind = RenderError.Kind

  /// The side that has to act.
  package let kind: Kind
  /// The sentence.
  package let description: String
  /// Whether the server says that there is nothing of that name.
  package internal(set) var isAbsence = false
  /// Whether what is there is another object than the one that was asked for.
  package internal(set) var isChange = false

  /// Whether somebody else has ended an upload that was under way.
  package internal(set) var isEnd = false

  /// The error that says `description`.
  package init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }

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
  package init(_ error: StorageError) { self.init(error.kind, error.description) }
}
