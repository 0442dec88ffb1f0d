import Glibc
package import TesseraMessages

/// A failed system call, with its operation and file.
package struct SystemError: Error, Hashable, Sendable {
  /// The value of `errno`, or ``notRegular``.
  package let number: CInt
  /// The attempted operation as an infinitive, such as `open`.
  package let operation: String
  /// The path or name of the file, process or resource that was operated on.
  package let path: String

  /// Creates an error; `number` is the last call's `errno` by default.
  package init(_ operation: String, _ path: String, number: CInt = errno) {
    (self.number, self.operation, self.path) = (number, operation, path)
  }

  /// The error number for a folder, pipe or device in place of a file. The system has no such
  /// number.
  package static let notRegular: CInt = -1

  /// True if the path is a folder, pipe or device in place of a file.
  package var isNotRegular: Bool { number == Self.notRegular }

  /// The system's description of the error, except where it misleads: a file system without free
  /// inodes reports the error of a full disk.
  package var reason: String {
    if isNotRegular { return "it is not a regular file" }
    let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
    if number == ENOSPC, FileSystemInfo.freeFiles(at: folder.isEmpty ? "/" : String(folder)) == 0 {
      return "No room for more files (the file system has no free inodes)"
    }
    return unsafe String(cString: strerror(number))
  }

  /// True if there was no space left to write.
  package var isOutOfSpace: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

  /// True if a retry, now or on another machine, may succeed: lack of space or memory, or an
  /// unreachable network disk.
  package var isTransient: Bool {
    [ENOSPC, EDQUOT, ENOMEM, ENFILE, EAGAIN, EIO, ESTALE, ETIMEDOUT, EHOSTUNREACH].contains(number)
  }
}

extension SystemError: MessageConvertible, CustomStringConvertible {
  package var sentence: UserMessage { "cannot \(operation) \(file: path): \(reason)" }
}
