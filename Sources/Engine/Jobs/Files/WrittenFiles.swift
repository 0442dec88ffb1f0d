import Foundation
import Glibc
import SystemPackage
import TesseraSystem

/// Records of files that Tessera wrote and whose formats have no place to say so.
///
///     DEVICE-INODE      its size and when it was changed last, as it was when it got its name
package struct WrittenFiles: Sendable {
  private let folder: String?

  /// The most records: beyond it the oldest half is forgotten.
  private static let most = 8192

  /// Records in `folder`, which is made with the first one; nil remembers nothing.
  package init(_ folder: String?) { self.folder = folder }

  /// Those of this user.
  package static var standard: WrittenFiles {
    WrittenFiles(UserFolder.state.path().map { "\($0)/written" })
  }

  private func place(of file: FileState) -> String? {
    folder.map { "\($0)/\(file.device)-\(file.inode)" }
  }

  private static func text(of file: FileState) -> String {
    "\(file.byteCount) \(file.changed)\n"
  }

  /// Whose the file is, in the state that it is in.
  func owner(of file: FileState) -> FileMark.Owner {
    guard let place = place(of: file), let bytes = try? RegularFile.bytes(place, atMost: 64) else {
      return .others
    }
    return bytes == Array(Self.text(of: file).utf8) ? .own : .edited
  }

  /// Remembers that `file` is Tessera's, as it is now. Where that cannot be written down, the file
  /// is taken for somebody else's.
  func add(_ file: FileState) {
    guard let folder, let place = place(of: file),
      (try? FileSystem.makeFolder(folder, private: true)) != nil,
      let part = try? TemporaryFile.make(for: place)
    else { return }
    let data = Data(Self.text(of: file).utf8)
    guard fchmod(part.descriptor, 0o600) == 0,
      FileDescriptor.write(data, to: part.descriptor) == nil,
      FileSystem.rename(part.path, to: place) == nil
    else { return FileSystem.remove(part.path) }
    prune(folder)
  }

  private func prune(_ folder: String) {
    let names = FileSystem.names(in: folder)
    guard names.count > Self.most else { return }
    let records = names.map { name in
      let path = "\(folder)/\(name)"
      return (path: path, changed: FileState(of: path)?.changed ?? 0)
    }
    for record in records.sorted(by: { $0.changed < $1.changed }).prefix(names.count / 2) {
      FileSystem.remove(record.path)
    }
  }
}
