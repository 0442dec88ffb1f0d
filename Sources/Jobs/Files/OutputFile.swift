package import Foundation
import Glibc
import SystemPackage
import TesseraSystem

/// A file in the making: it has a temporary name in the output's folder until it is complete, so
/// that an earlier file of the same name stays whole until then.
package struct OutputFile: ~Copyable {
  private var pending: PendingOutput

  /// Where the finished file will be: what a link of that name leads to.
  package var path: String { pending.path }

  /// A file that will be `path`. Nothing is written yet.
  ///
  /// - Throws: where `path` is one of the files that are to be protected, or something else than a
  ///   file, or its folder does not exist or cannot be written to.
  package init(_ path: String, protecting files: [String] = []) throws(RenderError) {
    let path = FileSystem.followingLinks(path)
    let pending = try PendingOutput(path, .file, protecting: files)
    if FileSystem.isFolder(path) {
      throw RenderError(.failure, "cannot write \(path): it is a folder; name a file in it.")
    }
    guard FileSystem.mayBeReplaced(path) else {
      throw RenderError(
        .failure, "cannot write \(path): it is a device or a pipe; name a file.")
    }
    self.pending = pending
  }

  /// Where the file is written until it is complete.
  package mutating func temporaryPath() throws(RenderError) -> String {
    try pending.begin().path
  }

  /// Removes what processes that have died had begun to write instead of this file.
  package func removeRemains() { pending.removeRemains() }

  /// Makes sure early that a file can be made at `path`.
  ///
  /// - Throws: what ``init(_:protecting:)`` throws.
  package static func require(_ path: String, protecting files: [String]) throws(RenderError) {
    _ = try OutputFile(path, protecting: files)
  }

  /// Makes sure that a render replaces nothing but what Tessera has made, by the name of the
  /// program that is in the file.
  ///
  /// - Throws: where there is another file at `path`.
  package static func requireOwn(_ path: String) throws(RenderError) {
    let path = FileSystem.followingLinks(path)
    // What is not a file is refused elsewhere, and losing an empty one costs nothing.
    guard FileSystem.exists(path), FileSystem.mayBeReplaced(path), !FileSystem.isFolder(path),
      FileSystem.byteCount(of: path) > 0, !isOwn(path)
    else { return }
    throw RenderError(
      .usage,
      "\(path) is there already, and Tessera did not make it: give -o another name, or --overwrite to "
        + "replace it.")
  }

  /// Whether the file at `path` names Tessera as its encoding tool, in its head or at its end.
  /// Nothing of it is parsed: it can be anybody's.
  private static func isOwn(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    guard let head = try? file.read(upToCount: longestHead) else { return false }
    if TesseraVersion.isNamed(in: head) { return true }
    let size = FileSystem.byteCount(of: path)
    guard size > head.count,
      (try? file.seek(toOffset: UInt64(max(0, size - longestTail)))) != nil,
      let tail = try? file.readToEnd()
    else { return false }
    return TesseraVersion.isNamed(in: tail)
  }

  /// More than the index of a day, which stands before it, and than the tags at the end.
  private static let (longestHead, longestTail) = (64 << 20, 1 << 20)

  /// Writes `data` as the whole file.
  package mutating func write(_ data: Data) throws(RenderError) {
    let descriptor = try pending.begin().descriptor
    // Some file systems say at closing only that they have no room.
    if let code = FileDescriptor.write(data, to: descriptor) ?? FileDescriptor.settle(descriptor) {
      throw RenderError(SystemError("write", path, number: code))
    }
    try commit()
  }

  /// Gives the finished file its name; from then on it stays.
  package mutating func commit() throws(RenderError) { try pending.commit() }
}
