package import Foundation
import Glibc
import SystemPackage
package import TesseraSystem

/// A file in the making: it has a temporary name in the output's folder until it is complete, so
/// that an earlier file of the same name stays whole until then.
///
/// Every file that somebody has named is written by way of this: it replaces nothing but what
/// Tessera has made and nobody has changed, unless it is told to.
package struct OutputFile: ~Copyable {
  private var pending: PendingOutput
  /// Its name, as somebody gave it.
  package let name: String
  /// How it says what made it; nil where nobody asks.
  private let mark: FileMark?
  private let records: WrittenFiles

  /// Where the finished file will be: what a link of that name leads to.
  package var path: String { pending.path }

  /// A file that will be `path`. Nothing is written yet.
  ///
  /// - Parameters:
  ///   - path: its name, as somebody gave it.
  ///   - files: files and folders that are read or written besides, of which none is replaced.
  ///   - overwriting: whether a file may be replaced that Tessera did not make.
  ///   - mark: how it says that Tessera made it; nil is what its name suggests.
  ///   - records: where files are remembered that cannot say it.
  /// - Throws: where `path` is one of the files that are to be protected, or something else than a
  ///   file, or may not be replaced, or its folder does not exist or cannot be written to.
  package init(
    _ path: String, protecting files: [String] = [], overwriting: Bool = false,
    mark: FileMark? = nil, records: WrittenFiles = .standard
  ) throws(RenderError) {
    let (name, path) = (path, FileSystem.followingLinks(path))
    let mark = mark ?? FileMark(path: name)
    let rule = OutputRule(protected: files, isOverwriting: overwriting)
    pending = try PendingOutput(path, .file) { () throws(RenderError) in
      try rule.requireOther(path)
      try Self.requirePlain(path)
      try rule.require(path) { mark.owner(of: path, records) }
    }
    (self.name, self.mark, self.records) = (name, mark, records)
  }

  /// A file that will be `path`, in a folder of Tessera's own: it replaces whatever is there.
  package init(inOwnFolder path: String) throws(RenderError) {
    pending = try PendingOutput(path, .file) { () throws(RenderError) in
      try Self.requirePlain(path)
    }
    (name, mark, records) = (path, nil, .standard)
  }

  private static func requirePlain(_ path: String) throws(RenderError) {
    if FileSystem.isFolder(path) {
      throw RenderError(.failure, "cannot write \(path): it is a folder; name a file in it.")
    }
    guard FileSystem.mayBeReplaced(path) else {
      throw RenderError(
        .failure, "cannot write \(path): it is a device or a pipe; name a file.")
    }
  }

  /// Where the file is written until it is complete.
  package mutating func temporaryPath() throws(RenderError) -> String {
    try pending.begin().path
  }

  /// Removes what processes that have died had begun to write instead of this file.
  package func removeRemains() { pending.removeRemains() }

  /// Makes sure early that a file can be made at `path`.
  ///
  /// - Throws: what ``init(_:protecting:overwriting:mark:records:)`` throws.
  package static func require(
    _ path: String, protecting files: [String], overwriting: Bool = false, mark: FileMark? = nil
  ) throws(RenderError) {
    _ = try OutputFile(path, protecting: files, overwriting: overwriting, mark: mark)
  }

  /// Writes `data`, with its mark, as the whole file.
  package mutating func write(_ data: Data) throws(RenderError) {
    let data = mark?.marked(data) ?? data
    let descriptor = try pending.begin().descriptor
    // Some file systems say at closing only that they have no room.
    if let code = FileDescriptor.write(data, to: descriptor) ?? FileDescriptor.settle(descriptor) {
      throw RenderError(SystemError("write", path, number: code))
    }
    try commit()
  }

  /// Gives the finished file its name; from then on it stays.
  package mutating func commit() throws(RenderError) {
    if mark == .tags {
      let file = try pending.begin()
      do throws(SystemError) {
        try FileSeal(file.path)?.write(to: file.descriptor)
      } catch {
        throw RenderError(SystemError("write", path, number: error.number))
      }
    }
    try pending.commit()
    guard mark == .record || mark == .tags, let file = FileState(of: path) else { return }
    records.add(file)
  }
}
