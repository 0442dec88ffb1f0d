import Foundation
import Glibc
import TesseraMessages
import TesseraSystem

/// An output that is being written: a file, or a folder of files, with a temporary name beside the
/// final one. An earlier output of the same name stays intact until ``moveIntoPlace()``.
struct PendingOutput: ~Copyable {
  enum Kind: String {
    case file
    case folder
  }

  /// The path of the finished output.
  let path: String
  private let kind: Kind
  /// Throws if the file or folder at `path` may not be replaced.
  private let requireLeave: @Sendable () throws(RenderError) -> Void
  /// The state of the file at `path` when it was found to be replaceable; nil if there was none.
  private let replaced: FileVersion?
  /// The temporary file or folder; nil before ``begin()``.
  private var temporary: TemporaryFile?
  private var isCommitted = false

  /// Prepares an output at `path`. Creates nothing yet.
  ///
  /// `requireLeave` throws if the existing file or folder at `path` may not be replaced. It is
  /// called now, and again in ``moveIntoPlace()`` if something else is there by then.
  /// - Throws: ``RenderError`` if the folder of `path` does not exist or cannot be written to, or
  ///   if `requireLeave` throws.
  init(
    _ path: String, _ kind: Kind, requireLeave: @escaping @Sendable () throws(RenderError) -> Void
  ) throws(RenderError) {
    try Self.requirePlace(path)
    let replaced = FileVersion(of: path)
    try requireLeave()
    (self.path, self.kind, self.requireLeave) = (path, kind, requireLeave)
    self.replaced = replaced
  }

  deinit {
    if let temporary, !isCommitted { Self.remove(temporary.path, kind) }
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

  private static func remove(_ path: String, _ kind: Kind) {
    switch kind {
    case .file: FileOperations.remove(path)
    case .folder: FileOperations.removeFolder(path)
    }
  }

  /// Creates the temporary file or folder, unless it exists already.
  mutating func begin() throws(RenderError) -> TemporaryFile {
    if let temporary { return temporary }
    do throws(SystemError) {
      let made =
        switch kind {
        case .file: try TemporaryFile.make(for: path)
        case .folder: try TemporaryFile.makeFolder(for: path)
        }
      temporary = made
      return made
    } catch {
      throw RenderError(SystemError("write", path, number: error.number))
    }
  }

  /// Removes temporary files and folders of this output that dead processes left behind.
  func removeRemains() { TemporaryFile.removeAbandoned(for: path) }

  /// Renames the finished output to its final path and replaces an earlier output.
  ///
  /// - Throws: ``RenderError`` if a file or folder appeared at the path that may not be replaced.
  mutating func moveIntoPlace() throws(RenderError) {
    let made = try begin().path
    var leave = replaced
    for _ in 0..<Self.mostTries {
      let found = FileVersion(of: path)
      if found != leave || kind == .folder { try requireLeave() }
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

  private mutating func replace(with made: String) throws(RenderError) {
    guard kind == .folder else {
      if let why = FileOperations.rename(made, to: path) { throw refusal(why) }
      isCommitted = true
      return
    }
    if let why = FileOperations.exchange(made, with: path) { throw refusal(why) }
    isCommitted = true
    Self.remove(made, kind)
  }

  private func refusal(_ why: String) -> RenderError {
    RenderError(
      .failure, "cannot give the finished \(kind.rawValue) the name \(file: path): \(why).")
  }
}
