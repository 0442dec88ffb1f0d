import Foundation
import TesseraSystem

/// A folder of packet indexes, each named by its content.
package struct IndexStore: Sendable {
  /// The folder.
  package let folder: String

  /// The store in `folder`, which is made when something is put there.
  package init(_ folder: String) { self.folder = folder }

  func path(_ name: String) -> String { "\(folder)/\(name).tsix" }

  /// Writes `index` down, unless it is there already, and returns its name.
  ///
  /// - Throws: the system's error where it cannot be written.
  @discardableResult
  package func put(_ index: PacketIndex) throws -> String {
    let bytes = index.encoded
    let name = PacketIndex.name(of: bytes)
    guard !FileManager.default.fileExists(atPath: path(name)) else { return name }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)), options: .atomic)
    return name
  }

  /// The index of that name; nil where it is not there, or not what it was.
  package func index(_ name: String) -> PacketIndex? {
    data(name).flatMap { PacketIndex(encoded: [UInt8]($0)) }
  }

  /// Whether the index of that name is there as it was.
  func holds(_ name: String) -> Bool { data(name) != nil }

  private func data(_ name: String) -> Data? {
    guard name.utf8.count == 32, name.utf8.allSatisfy({ Self.digits.contains($0) }),
      let data = try? FileSystem.map(path(name))
    else { return nil }
    var hash = PayloadHash()
    unsafe data.withUnsafeBytes { unsafe hash.add($0) }
    return hash.text == name ? data : nil
  }

  private static let digits = Set("0123456789abcdef".utf8)
}
