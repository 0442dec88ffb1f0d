import Foundation
import TesseraMessages
import TesseraPlan
import TesseraSystem

/// Checks free disk space, so that a render on a full disk ends with a clear error and not with a
/// broken file.
enum DiskSpaceCheck {
  /// Returns the bytes that a render of `bytes` leaves free for other programs: the same number,
  /// but 1 to 32 MiB.
  private static func reserve(_ bytes: Int) -> Int { min(32 << 20, max(1 << 20, bytes)) }

  /// Returns the bytes that must be free before a render writes `bytes` more.
  static func needed(_ bytes: Int) -> Int { max(0, bytes) + reserve(bytes) }

  /// Throws if `bytes` more do not fit on the disk with `path`.
  static func require(_ bytes: Int, at path: String) throws(RenderError) {
    let needed = needed(bytes)
    if FileSystemInfo.freeFiles(at: path) == 0 {
      throw RenderError(
        .temporary,
        "the disk with \(file: path) has room for no more files: its file system has no free inodes; "
          + "remove some files there, or name another \(option: "work-dir").")
    }
    guard let free = FileSystemInfo.freeBytes(at: path), free < needed else { return }
    throw RenderError(
      .temporary,
      "the disk with \(file: path) has \(FileSystemInfo.megabytes(free, .down)) MB free, and the render needs about "
        + "\(FileSystemInfo.megabytes(needed, .up)) MB; make room there, or name another \(option: "work-dir")."
    )
  }

  /// Returns the error that stops a render of `bytes` before the disk is full; nil while there is
  /// enough space.
  static func shortage(_ bytes: Int, at path: String) -> RenderError? {
    guard let free = FileSystemInfo.freeBytes(at: path), free < reserve(bytes) / 2 else {
      return nil
    }
    return RenderError(
      .temporary,
      "the disk with \(file: path) is full; make room there. Finished work is kept: the same command "
        + "resumes.")
  }
}
