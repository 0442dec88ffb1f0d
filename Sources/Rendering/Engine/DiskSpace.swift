import Foundation
import TesseraSystem

/// Sees to it that a render ends with a sentence where the disk gets full, not with a broken file.
enum DiskSpace {
  /// What is left free for everybody else.
  static let reserve = 32 << 20

  /// Refuses to begin where `bytes` more do not fit beside `path`.
  static func require(_ bytes: Int, at path: String) throws(RenderError) {
    guard let free = Disk.freeBytes(at: path), free < bytes + reserve else { return }
    throw RenderError(
      .failure,
      "the disk with \(path) has \(megabytes(free)) MB free, and the render needs about "
        + "\(megabytes(bytes + reserve)) MB; make room there, or name another --work-dir.")
  }

  /// Why a render has to stop now, before the disk is full; nil while there is room.
  static func shortage(at path: String) -> RenderError? {
    guard let free = Disk.freeBytes(at: path), free < reserve / 2 else { return nil }
    return RenderError(
      .failure,
      "the disk with \(path) is full; make room there. What is finished is kept: the same command "
        + "goes on from there.")
  }

  private static func megabytes(_ bytes: Int) -> Int { (bytes + 999_999) / 1_000_000 }
}
