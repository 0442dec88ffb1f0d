import Foundation
import Glibc
import TesseraDelivery
import TesseraSystem

/// The folder that this process unpacks archives into.
enum Unpacking {
  private static let folder = UnpackFolder()
  /// Where what is unpacked stays; nil where it does not.
  private static let kept = Monitor(String?.none)

  /// What is unpacked from now on stays: the workers of a plan come later.
  static func keep() { kept.update { $0 = NSTemporaryDirectory() } }

  /// What is unpacked from now on stays in that folder, which is made.
  static func keep(in folder: String) throws {
    try FileSystem.makeFolder(folder)
    kept.update { $0 = "\(folder)/" }
  }

  /// A new folder to unpack archives into.
  static func make() throws(RenderError) -> String {
    if let kept = kept.withLock(\.self) { return "\(kept)tessera.\(getpid())" }
    return try folder.make()
  }

  /// Removes what this process has unpacked, if anything, unless it is to stay.
  static func remove() { folder.remove() }
}
