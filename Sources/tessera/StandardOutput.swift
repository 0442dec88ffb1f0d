import Foundation
import Glibc
import Rendering

/// Standard output, where answers go.
enum StandardOutput {
  /// Prints a line about a file that is finished; it is dropped where it cannot be written.
  static func say(_ line: String) {
    _ = FileDescriptor.write(Data((line + "\n").utf8), to: STDOUT_FILENO)
  }

  /// Writes all of an answer.
  ///
  /// - Throws: ``ExitStatus/failed`` where nobody reads any more, else a ``RenderError``.
  static func write(_ data: Data) throws {
    guard let code = FileDescriptor.write(data, to: STDOUT_FILENO) else { return }
    guard code != EPIPE else { throw ExitStatus.failed }
    let why = unsafe String(cString: strerror(code))
    throw RenderError(
      .failure, "cannot write the answer to the standard output: \(why); send it elsewhere.")
  }
}

/// What the system's own writing does, whole.
enum FileDescriptor {
  /// Writes all of `data`; returns the system's error, or nil.
  static func write(_ data: Data, to descriptor: CInt) -> CInt? {
    unsafe data.withUnsafeBytes { bytes in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let count = unsafe Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return errno }
        unsafe rest = rest.dropFirst(count)
      }
      return nil
    }
  }
}
