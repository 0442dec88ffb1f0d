import Foundation
import Glibc
import TesseraSystem

/// What is written of an output until it is complete: a file, or a folder of files, with a temporary
/// name beside the output. An earlier output of the same name stays whole until then.
struct PendingOutput: ~Copyable {
  /// What an output is.
  enum Kind: String {
    case file
    case folder
  }

  /// Where the finished output will be.
  let path: String
  private let kind: Kind
  /// What is written; nil before anything is.
  private var temporary: TemporaryFile?
  private var isCommitted = false

  /// What will be at `path`. Nothing is written yet.
  ///
  /// - Throws: where its folder does not exist or cannot be written to, or `path` is one of the
  ///   files that are to be protected.
  init(_ path: String, _ kind: Kind, protecting files: [String]) throws(RenderError) {
    (self.path, self.kind) = (path, kind)
    try Self.requirePlace(path)
    guard !files.contains(where: { FileSystem.areSame($0, path) }) else {
      throw RenderError(
        .usage, "\(path) is one of the inputs or another output; give the output another name.")
    }
  }

  deinit {
    if let temporary, !isCommitted { Self.remove(temporary.path, kind) }
  }

  /// Makes sure that the folder of `path` is there and takes files of such a name.
  private static func requirePlace(_ path: String) throws(RenderError) {
    guard !path.isEmpty else {
      throw RenderError(.usage, "an output has no name; give it one.")
    }
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    guard FileSystem.isFolder(folder) else {
      throw RenderError(
        .failure, "cannot write \(path): the folder \(folder) does not exist; create it first.")
    }
    guard FileSystem.isWritable(folder) else {
      throw RenderError(
        .failure, "cannot write \(path): the folder \(folder) may not be written to.")
    }
    guard url.lastPathComponent.utf8.count <= longestName else {
      throw RenderError(
        .usage, "cannot write \(path): a name has \(longestName) bytes at most.")
    }
  }

  /// What file systems allow.
  private static let longestName = 255

  private static func remove(_ path: String, _ kind: Kind) {
    switch kind {
    case .file: FileSystem.remove(path)
    case .folder: FileSystem.removeFolder(path)
    }
  }

  /// What is written until the output is complete.
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

  /// Removes what processes that have died had begun to write instead of this output.
  func removeRemains() { TemporaryFile.removeAbandoned(for: path) }

  /// Gives the finished output its name, from which an earlier one goes; from then on it stays.
  mutating func commit() throws(RenderError) {
    let made = try begin().path
    let isExchanged = kind == .folder && FileSystem.exists(path)
    let why =
      isExchanged ? FileSystem.exchange(made, with: path) : FileSystem.rename(made, to: path)
    if let why {
      throw RenderError(
        .failure, "cannot give the finished \(kind.rawValue) the name \(path): \(why).")
    }
    isCommitted = true
    if isExchanged { Self.remove(made, kind) }
  }
}
