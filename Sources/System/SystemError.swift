import Glibc

/// A call into the system that failed, with what it was doing to which file.
public struct SystemError: Error, Hashable, Sendable {
  /// The system's number of the error.
  public let number: CInt
  /// What was tried, as an infinitive: `open`.
  public let operation: String
  /// What it was tried on.
  public let path: String

  /// The error with that number; the last call's where none is given.
  package init(_ operation: String, _ path: String, number: CInt = errno) {
    (self.number, self.operation, self.path) = (number, operation, path)
  }

  /// The system's own words.
  public var reason: String { unsafe String(cString: strerror(number)) }

  /// Whether there was no room left to write.
  public var isOutOfSpace: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }
}

extension SystemError: CustomStringConvertible {
  public var description: String { "cannot \(operation) \(path): \(reason)" }
}
