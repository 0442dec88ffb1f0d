import Foundation
import TesseraSystem

/// A folder of packet indexes. The name of each file is the hash of its content.
package struct PacketIndexStore: Sendable {
  package let folder: String

  /// Creates a store in `folder`, which the first ``put(_:)`` creates if necessary.
  package init(_ folder: String) { self.folder = folder }

  func path(_ name: String) -> String { "\(folder)/\(name).tsix" }

  /// Writes `index` to the store unless it exists already with an intact content, and returns its
  /// name.
  ///
  /// - Throws: A file system error if the index cannot be written.
  @discardableResult
  package func put(_ index: PacketIndex) throws -> String {
    let bytes = index.encoded
    let name = PacketIndex.name(of: bytes)
    guard content(name) == nil else { return name }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)), options: .atomic)
    return name
  }

  /// Returns the index with the given name; returns `nil` if it is missing or its content does not
  /// match the name.
  package func index(_ name: String) -> PacketIndex? {
    content(name).flatMap(PacketIndex.init(encoded:))
  }

  private func content(_ name: String) -> [UInt8]? {
    guard name.utf8.count == 32, name.utf8.allSatisfy({ Self.digits.contains($0) }),
      let data = try? FileOperations.map(path(name))
    else { return nil }
    let content = Array(data)
    return PacketIndex.name(of: content) == name ? content : nil
  }

  private static let digits = Set("0123456789abcdef".utf8)
}
