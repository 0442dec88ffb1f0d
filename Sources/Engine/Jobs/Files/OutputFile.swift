package import Foundation
import Glibc
import SystemPackage
import TesseraMessages
package import TesseraSystem

/// A file, or a folder of files, that is being written. It has a temporary name beside the final
/// one until it is complete, so that it never appears half-finished and an earlier output of the
/// same name stays intact until then.
///
/// All files that users name are written through this type. Without `overwriting`, it only replaces
/// unchanged files that Tessera made (``OverwritePolicy``).
package final class OutputFile {
  /// The output's path as the user gave it.
  package let name: String
  /// The path of the finished output, with symbolic links resolved.
  package let path: String
  /// The files of the folder; nil for a file.
  private let content: OutputFolderKind?
  /// True if the output is a folder of files.
  package var isFolder: Bool { content != nil }
  /// The mark that shows that Tessera made the file; nil for none.
  private let mark: OutputMark?
  private let records: WrittenFileRegistry
  /// Throws if the file or folder at `path` may not be replaced.
  private let requireLeave: () throws(RenderError) -> Void
  /// The state of the file at `path` when it was found to be replaceable; nil if there was none.
  private let replaced: FileVersion?
  /// The temporary file or folder; nil before ``begin()``.
  private var temporary: TemporaryFile?
  private var isCommitted = false

  /// Prepares an output at `path`. Creates nothing yet.
  ///
  /// - Parameters:
  ///   - path: the path, as the user gave it.
  ///   - content: the files that the folder will contain; nil for a file.
  ///   - files: files and folders that are read or written besides. The output replaces none of
  ///     them.
  ///   - overwriting: true to replace files that Tessera did not make, or files and folders that
  ///     were changed since.
  ///   - mark: the mark for the file; nil chooses it by the extension.
  ///   - records: records files whose formats have no place for a mark.
  /// - Throws: ``RenderError`` if `path` is one of `files`, is no regular file or may not be
  ///   replaced, or if its folder does not exist or cannot be written to. For a folder, also if one
  ///   of `files` is inside it.
  package convenience init(
    _ path: String, _ content: OutputFolderKind? = nil, protecting files: [String] = [],
    overwriting: Bool = false, mark: OutputMark? = nil, records: WrittenFileRegistry = .standard
  ) throws(RenderError) {
    let rule = OverwritePolicy(protected: files, isOverwriting: overwriting)
    if let content {
      let place = FileOperations.followingLinks(OutputFolderKind.withoutSlash(path))
      try self.init(path, at: place, content, mark: nil, records) { () throws(RenderError) in
        try content.requireReplaceable(place, rule)
      }
    } else {
      let (mark, place) = (mark ?? OutputMark(path: path), FileOperations.followingLinks(path))
      try self.init(path, at: place, nil, mark: mark, records) { () throws(RenderError) in
        try rule.requireOther(place)
        try Self.requirePlain(place)
        try rule.require(place) { mark.owner(of: place, records) }
      }
    }
  }

  /// Prepares a file at `path` in a folder that Tessera owns. It replaces any earlier file.
  package convenience init(inOwnFolder path: String) throws(RenderError) {
    try self.init(path, at: path, nil, mark: nil, .standard) { () throws(RenderError) in
      try Self.requirePlain(path)
    }
  }

  /// `requireLeave` throws if the existing file or folder at `path` may not be replaced. It is
  /// called now, and again in ``commit()`` if something else is there by then.
  private init(
    _ name: String, at path: String, _ content: OutputFolderKind?, mark: OutputMark?,
    _ records: WrittenFileRegistry, requireLeave: @escaping () throws(RenderError) -> Void
  ) throws(RenderError) {
    try Self.requirePlace(path)
    replaced = FileVersion(of: path)
    try requireLeave()
    (self.name, self.path, self.content) = (name, path, content)
    (self.mark, self.records, self.requireLeave) = (mark, records, requireLeave)
  }

  deinit {
    if let temporary, !isCommitted { remove(temporary.path) }
  }

  /// Checks early that an output can be made at `path`.
  ///
  /// - Throws: the errors of ``init(_:_:protecting:overwriting:mark:records:)``.
  package static func require(
    _ path: String, _ content: OutputFolderKind? = nil, protecting files: [String],
    overwriting: Bool = false, mark: OutputMark? = nil
  ) throws(RenderError) {
    _ = try OutputFile(path, content, protecting: files, overwriting: overwriting, mark: mark)
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

  /// Throws if the folder of `path` is missing or not writable, or if the name is too long.
  private static func requirePlace(_ path: String) throws(RenderError) {
    guard !path.isEmpty else {
      throw RenderError(.usage, "an output has no name; give it one.")
    }
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    guard FileOperations.isFolder(folder) else {
      throw RenderError(
        .failure,
        "cannot write \(file: path): the folder \(file: folder) does not exist; create it first.")
    }
    guard FileOperations.isWritable(folder) else {
      throw RenderError(
        .failure, "cannot write \(file: path): the folder \(file: folder) may not be written to.")
    }
    guard url.lastPathComponent.utf8.count <= longestName else {
      throw RenderError(
        .usage, "cannot write \(file: path): a name has \(longestName) bytes at most.")
    }
  }

  /// Largest number of bytes in a file name that common file systems allow.
  private static let longestName = 255

  private func remove(_ path: String) {
    if isFolder { FileOperations.removeFolder(path) } else { FileOperations.remove(path) }
  }

  /// Creates the temporary file or folder, unless it exists already.
  private func begin() throws(RenderError) -> TemporaryFile {
    if let temporary { return temporary }
    do throws(SystemError) {
      let made =
        isFolder
        ? try TemporaryFile.makeFolder(for: path) : try TemporaryFile.make(for: path)
      temporary = made
      return made
    } catch {
      throw RenderError(SystemError("write", path, number: error.number))
    }
  }

  /// Returns the path of the temporary file or folder to write to until the output is complete.
  /// Creates it.
  package func temporaryPath() throws(RenderError) -> String { try begin().path }

  /// Removes temporary files and folders of this output that dead processes left behind.
  package func removeRemains() { TemporaryFile.removeAbandoned(for: path) }

  /// Writes `data` with its mark as the whole content, and commits the file.
  package func write(_ data: Data) throws(RenderError) {
    let data = mark?.marked(data) ?? data
    let descriptor = try begin().descriptor
    // Some file systems report only on closing that the disk is full.
    if let code = FileDescriptor.write(data, to: descriptor) ?? FileDescriptor.settle(descriptor) {
      throw RenderError(SystemError("write", path, number: code))
    }
    try commit()
  }

  /// Seals the finished file, or marks the folder's entry file, and renames the output to its final
  /// path. It replaces an earlier output.
  ///
  /// - Throws: ``RenderError`` if the output cannot be written, or if a file or folder appeared at
  ///   the path that may not be replaced.
  package func commit() throws(RenderError) {
    let made = try begin()
    do throws(SystemError) {
      if mark == .tags { try EmbeddedHash(made.path)?.write(to: made.descriptor) }
      try content?.mark(made.path)
    } catch {
      throw RenderError(SystemError("write", path, number: error.number))
    }
    try moveIntoPlace(made.path)
    guard mark == .record || mark == .tags, let file = FileVersion(of: path) else { return }
    records.add(file)
  }

  private func moveIntoPlace(_ made: String) throws(RenderError) {
    var leave = replaced
    for _ in 0..<Self.mostTries {
      let found = FileVersion(of: path)
      if found != leave || isFolder { try requireLeave() }
      guard found == nil else { return try replace(with: made) }
      guard let number = FileOperations.renameToFree(made, as: path) else {
        isCommitted = true
        return
      }
      guard number == EEXIST else {
        throw refusal(SystemError("rename", path, number: number).reason)
      }
      // Another process created the path in between: check again.
      leave = found
    }
    throw refusal("other processes keep creating it")
  }

  /// Largest number of attempts if other processes keep creating the path.
  private static let mostTries = 16

  private func replace(with made: String) throws(RenderError) {
    let why =
      isFolder
      ? FileOperations.exchange(made, with: path) : FileOperations.rename(made, to: path)
    if let why { throw refusal(why) }
    isCommitted = true
    if isFolder { remove(made) }
  }

  private func refusal(_ why: String) -> RenderError {
    RenderError(
      .failure,
      "cannot give the finished \(isFolder ? "folder" : "file") the name \(file: path): \(why).")
  }
}
