import Foundation
import Glibc
import SystemPackage
import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraSystem
import TesseraTimeline

/// Standard output, where results go.
enum StandardOutput {
  /// Prints a line about a file that is finished; it is dropped where it cannot be written.
  static func say(_ line: String) {
    _ = FileDescriptor.write(
      Data((RemoteNames.known(line).spellingOutControls() + "\n").utf8), to: STDOUT_FILENO)
  }

  /// Prints lines whose names are spelled out already; they are dropped where they cannot be
  /// written.
  static func say(lines: String) {
    _ = FileDescriptor.write(Data((lines + "\n").utf8), to: STDOUT_FILENO)
  }

  /// Writes what another process has printed.
  static func pass(_ data: Data) { _ = FileDescriptor.write(data, to: STDOUT_FILENO) }

  /// Writes all of a result.
  ///
  /// - Throws: ``ExitStatus/failed`` where nobody reads any more, else a ``RenderError``.
  static func write(_ data: Data) throws {
    guard let code = FileDescriptor.write(RemoteNames.known(data), to: STDOUT_FILENO) else {
      return
    }
    guard code != EPIPE else { throw ExitStatus.failed }
    let why = unsafe String(cString: strerror(code))
    throw RenderError(
      .failure, "cannot write the result to the standard output: \(why); send it elsewhere.")
  }
}
