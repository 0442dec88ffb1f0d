import Foundation
import TesseraPlan
import TesseraSystem

/// Sees to it that a render ends with a sentence where the disk gets full, not with a broken file.
enum DiskSpace {
  /// What is left free for everybody else by a render that takes `bytes`: as much, within bounds.
  private static func reserve(_ bytes: Int) -> Int { min(32 << 20, max(1 << 20, bytes)) }

  /// What has to be free where a render writes `bytes` more.
  static func needed(_ bytes: Int) -> Int { max(0, bytes) + reserve(bytes) }

  /// Refuses to begin where `bytes` more do not fit beside `path`.
  static func require(_ bytes: Int, at path: String) throws(RenderError) {
    let needed = needed(bytes)
    if Disk.freeFiles(at: path) == 0 {
      throw RenderError(
        .temporary,
        "the disk with \(path) has room for no more files: its file system has no free inodes; "
          + "remove some files there, or name another \(option: "work-dir").")
    }
    guard let free = Disk.freeBytes(at: path), free < needed else { return }
    throw RenderError(
      .temporary,
      "the disk with \(path) has \(Disk.megabytes(free, .down)) MB free, and the render needs about "
        + "\(Disk.megabytes(needed, .up)) MB; make room there, or name another \(option: "work-dir")."
    )
  }

  /// Why a render that takes `bytes` has to stop now, before the disk is full; nil while there is
  /// room.
  static func shortage(_ bytes: Int, at path: String) -> RenderError? {
    guard let free = Disk.freeBytes(at: path), free < reserve(bytes) / 2 else { return nil }
    return RenderError(
      .temporary,
      "the disk with \(path) is full; make room there. What is finished is kept: the same command "
        + "goes on from there.")
  }
}
