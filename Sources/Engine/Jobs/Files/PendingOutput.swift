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
  /// Throws where what is at `path` may not be replaced.
  private let requireLeave: @Sendable () throws(RenderError) -> Void
  /// What was at `path` when it was found to be replaceable; nil where nothing was.
  private let replaced: FileState?
  /// What is written; nil before anything is.
  private var temporary: TemporaryFile?
  private var isCommitted = false

  /// What will be at `path`. Nothing is written yet.
  ///
  /// `requireLeave` throws where what is at `path` may not be replaced. It is asked now,
  /// and again at the end where something else is there by then.
  /// - Throws: where the folder does not exist or cannot be written to, or `requireLeave` does.
  init(
    _ path: String, _ kind: Kind, requireLeave: @escaping @Sendable () throws(RenderError) -> Void
  ) throws(RenderError) {
    try Self.requirePlace(path)
    let replaced = FileState(of: path)
    try requireLeave()
    (self.path, self.kind, self.requireLeave) = (path, kind, requireLeave)
    self.replaced = replaced
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
  ///
  /// - Throws: where something is there by now that may not be replaced.
  mutating func commit() throws(RenderError) {
    let made = try begin().path
    var leave = replaced
    for _ in 0..<Self.mostTries {
      let found = FileState(of: path)
      if found != leave || kind == .folder { try requireLeave() }
      guard found == nil else { return try replace(with: made) }
      guard let number = FileSystem.renameToFree(made, as: path) else {
        isCommitted = true
        return
      }
      guard number == EEXIST else {
        throw refusal(SystemError("rename", path, number: number).reason)
      }
      // Somebody was faster: it is decided again.
      leave = found
    }
    throw refusal("something else takes it again and again")
  }

  /// How often something may appear where nothing was.
  private static let mostTries = 16

  private mutating func replace(with made: String) throws(RenderError) {
    guard kind == .folder else {
      if let why = FileSystem.rename(made, to: path) { throw refusal(why) }
      isCommitted = true
      return
    }
    if let why = FileSystem.exchange(made, with: path) { throw refusal(why) }
    isCommitted = true
    Self.remove(made, kind)
  }

  private func refusal(_ why: String) -> RenderError {
    RenderError(.failure, "cannot give the finished \(kind.rawValue) the name \(path): \(why).")
  }
}
