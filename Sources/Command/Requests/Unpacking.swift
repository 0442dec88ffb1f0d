import Foundation
import Glibc
import TesseraDelivery
import TesseraSystem

/// The folder that this process unpacks archives into.
enum Unpacking {
  private static let folder = UnpackFolder()
  private static let isKept = Monitor(false)

  /// What is unpacked from now on stays: the workers of a plan come later.
  static func keep() { isKept.update { $0 = true } }

  /// A new folder to unpack archives into.
  static func make() throws(RenderError) -> String {
    isKept.withLock { $0 } ? "\(NSTemporaryDirectory())tessera.\(getpid())" : try folder.make()
  }

  /// Removes what this process has unpacked, if anything, unless it is to stay.
  static func remove() { folder.remove() }
}
