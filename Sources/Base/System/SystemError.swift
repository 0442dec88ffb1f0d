import Glibc

/// A call into the system that failed, with what it was doing to which file.
package struct SystemError: Error, Hashable, Sendable {
  /// The system's number of the error.
  package let number: CInt
  /// What was tried, as an infinitive: `open`.
  package let operation: String
  /// What it was tried on.
  package let path: String

  /// The error with that number; the last call's where none is given.
  package init(_ operation: String, _ path: String, number: CInt = errno) {
    (self.number, self.operation, self.path) = (number, operation, path)
  }

  /// The number, which is none of the system's, of opening a folder, pipe or device where a file
  /// was expected.
  package static let notRegular: CInt = -1

  /// Whether it is a folder, pipe or device, and not a file.
  package var isNotRegular: Bool { number == Self.notRegular }

  /// The system's own words, but where they are not true: of a file system that has room, but for
  /// no more files, it says the same as for a full one.
  package var reason: String {
    if isNotRegular { return "it is not a regular file" }
    let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
    if number == ENOSPC, Disk.freeFiles(at: folder.isEmpty ? "/" : String(folder)) == 0 {
      return "No room for more files (the file system has no free inodes)"
    }
    return unsafe String(cString: strerror(number))
  }

  /// Whether there was no room left to write.
  package var isOutOfSpace: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

  /// Whether the same call may succeed later, or on another machine: there was no room, no memory,
  /// or a disk over the network was away.
  package var mayPass: Bool {
    [ENOSPC, EDQUOT, ENOMEM, ENFILE, EAGAIN, EIO, ESTALE, ETIMEDOUT, EHOSTUNREACH].contains(number)
  }
}

extension SystemError: CustomStringConvertible {
  package var description: String { "cannot \(operation) \(path): \(reason)" }
}
