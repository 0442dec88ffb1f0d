import Foundation
import Glibc
import SystemPackage
import TesseraSystem

/// Records of the files that Tessera wrote in formats without a place for a mark
/// (``OutputMark/record``).
///
///     DEVICE-INODE      the file's size and modification time when it was finished
package struct WrittenFileRegistry: Sendable {
  private let folder: String?

  /// Largest number of records. Beyond it, the oldest half is deleted.
  private static let most = 8192

  /// Records in `folder`, which is created with the first record; nil keeps no records.
  package init(_ folder: String?) { self.folder = folder }

  /// The records of this user, in the user's state folder.
  package static var standard: WrittenFileRegistry {
    WrittenFileRegistry(UserDataFolder.state.path().map { "\($0)/written" })
  }

  private func place(of file: FileVersion) -> String? {
    folder.map { "\($0)/\(file.device)-\(file.inode)" }
  }

  private static func text(of file: FileVersion) -> String {
    "\(file.byteCount) \(file.changed)\n"
  }

  /// Returns the origin of a file, given its current state.
  func owner(of file: FileVersion) -> OutputMark.Origin {
    guard let place = place(of: file), let bytes = try? RegularFile.bytes(place, atMost: 64) else {
      return .others
    }
    return bytes == Array(Self.text(of: file).utf8) ? .own : .edited
  }

  /// Records that `file` is Tessera's in its current state. If the record cannot be written, the
  /// file later counts as made by another program.
  func add(_ file: FileVersion) {
    guard let folder, let place = place(of: file),
      (try? FileOperations.makeFolder(folder, private: true)) != nil,
      let part = try? TemporaryFile.make(for: place)
    else { return }
    let data = Data(Self.text(of: file).utf8)
    guard fchmod(part.descriptor, 0o600) == 0,
      FileDescriptor.write(data, to: part.descriptor) == nil,
      FileOperations.rename(part.path, to: place) == nil
    else { return FileOperations.remove(part.path) }
    prune(folder)
  }

  private func prune(_ folder: String) {
    let names = FileOperations.names(in: folder)
    guard names.count > Self.most else { return }
    let records = names.map { name in
      let path = "\(folder)/\(name)"
      return (path: path, changed: FileVersion(of: path)?.changed ?? 0)
    }
    for record in records.sorted(by: { $0.changed < $1.changed }).prefix(names.count / 2) {
      FileOperations.remove(record.path)
    }
  }
}
