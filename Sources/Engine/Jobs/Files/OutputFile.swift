package import Foundation
import Glibc
import SystemPackage
import TesseraMessages
package import TesseraSystem

/// A file that is being written. It has a temporary name in the output's folder until it is
/// complete, so that an earlier file of the same name stays intact until then.
///
/// All files that users name are written through this type. Without `overwriting`, it only replaces
/// unchanged files that Tessera made (``OverwritePolicy``).
package struct OutputFile: ~Copyable {
  private var pending: PendingOutput
  /// The output's path as the user gave it.
  package let name: String
  /// The mark that shows that Tessera made the file; nil for none.
  private let mark: OutputMark?
  private let records: WrittenFileRegistry

  /// The path of the finished file, with symbolic links resolved.
  package var path: String { pending.path }

  /// Prepares a file at `path`. Creates nothing yet.
  ///
  /// - Parameters:
  ///   - path: the path, as the user gave it.
  ///   - files: files and folders that are read or written besides. The output replaces none of
  ///     them.
  ///   - overwriting: true to replace files that Tessera did not make, or that were changed since.
  ///   - mark: the mark for the file; nil chooses it by the extension.
  ///   - records: records files whose formats have no place for a mark.
  /// - Throws: ``RenderError`` if `path` is one of `files`, is no regular file or may not be
  ///   replaced, or if its folder does not exist or cannot be written to.
  package init(
    _ path: String, protecting files: [String] = [], overwriting: Bool = false,
    mark: OutputMark? = nil, records: WrittenFileRegistry = .standard
  ) throws(RenderError) {
    let (name, path) = (path, FileOperations.followingLinks(path))
    let mark = mark ?? OutputMark(path: name)
    let rule = OverwritePolicy(protected: files, isOverwriting: overwriting)
    pending = try PendingOutput(path, .file) { () throws(RenderError) in
      try rule.requireOther(path)
      try Self.requirePlain(path)
      try rule.require(path) { mark.owner(of: path, records) }
    }
    (self.name, self.mark, self.records) = (name, mark, records)
  }

  /// Prepares a file at `path` in a folder that Tessera owns. It replaces any earlier file.
  package init(inOwnFolder path: String) throws(RenderError) {
    pending = try PendingOutput(path, .file) { () throws(RenderError) in
      try Self.requirePlain(path)
    }
    (name, mark, records) = (path, nil, .standard)
  }

  private static func requirePlain(_ path: String) throws(RenderError) {
    if FileOperations.isFolder(path) {
      throw RenderError(.failure, "cannot write \(file: path): it is a folder; name a file in it.")
    }
    guard FileOperations.mayBeReplaced(path) else {
      throw RenderError(
        .failure, "cannot write \(file: path): it is a device or a pipe; name a file.")
    }
  }

  /// Returns the path to write to until the file is complete. Creates the temporary file.
  package mutating func temporaryPath() throws(RenderError) -> String {
    try pending.begin().path
  }

  /// Removes temporary files of this output that dead processes left behind.
  package func removeRemains() { pending.removeRemains() }

  /// Checks early that a file can be made at `path`.
  ///
  /// - Throws: the errors of ``init(_:protecting:overwriting:mark:records:)``.
  package static func require(
    _ path: String, protecting files: [String], overwriting: Bool = false,
    mark: OutputMark? = nil
  ) throws(RenderError) {
    _ = try OutputFile(path, protecting: files, overwriting: overwriting, mark: mark)
  }

  /// Writes `data` with its mark as the whole content, and commits the file.
  package mutating func write(_ data: Data) throws(RenderError) {
    let data = mark?.marked(data) ?? data
    let descriptor = try pending.begin().descriptor
    // Some file systems report only on closing that the disk is full.
    if let code = FileDescriptor.write(data, to: descriptor) ?? FileDescriptor.settle(descriptor) {
      throw RenderError(SystemError("write", path, number: code))
    }
    try commit()
  }

  /// Seals the finished file and renames it to its final path.
  package mutating func commit() throws(RenderError) {
    if mark == .tags {
      let file = try pending.begin()
      do throws(SystemError) {
        try EmbeddedHash(file.path)?.write(to: file.descriptor)
      } catch {
        throw RenderError(SystemError("write", path, number: error.number))
      }
    }
    try pending.moveIntoPlace()
    guard mark == .record || mark == .tags, let file = FileVersion(of: path) else { return }
    records.add(file)
  }
}
