import Foundation
import Glibc
import SystemPackage
package import TesseraSystem

/// A folder of files in the making: it has a temporary name beside the output until all of them are
/// there, so that nobody ever finds half of it, and an earlier one stays whole until then.
package struct OutputFolder: ~Copyable {
  private var pending: PendingOutput
  private let content: Content

  /// Where the finished folder will be.
  package var path: String { pending.path }

  /// What such a folder holds.
  package struct Content: Sendable {
    /// The file that is made last and says what made the folder.
    package var entry: String
    /// The endings of all files in it.
    package var endings: Set<String>

    /// Files with those endings, the last of which is `entry`.
    package init(entry: String, endings: Set<String>) {
      (self.entry, self.endings) = (entry, endings)
    }
  }

  /// A folder that will be `path`. Nothing is written yet.
  ///
  /// - Parameters:
  ///   - path: its name, as somebody gave it.
  ///   - content: what it will hold.
  ///   - files: what is read or written besides, of which none is replaced.
  ///   - overwriting: whether one may be replaced that Tessera made and somebody has changed.
  /// - Throws: where there is anything of that name but an empty folder or one that Tessera has
  ///   made, where one of `files` lies in it, or its own folder cannot be written to.
  package init(
    _ path: String, _ content: Content, protecting files: [String] = [], overwriting: Bool = false
  ) throws(RenderError) {
    let path = FileSystem.followingLinks(Self.withoutSlash(path))
    let rule = OutputRule(protected: files, isOverwriting: overwriting)
    pending = try PendingOutput(path, .folder) { () throws(RenderError) in
      try Self.requireReplaceable(path, content, rule)
    }
    self.content = content
  }

  /// Makes sure that what is at `path` may go.
  private static func requireReplaceable(
    _ path: String, _ content: Content, _ rule: OutputRule
  ) throws(RenderError) {
    try rule.requireOther(path)
    guard FileSystem.exists(path) else { return }
    guard FileSystem.isFolder(path) else {
      throw RenderError(
        .usage, "cannot write the folder \(path): there is a file of that name; give it another.")
    }
    let inside = FileSystem.realName(path) + "/"
    if let file = rule.protected.first(where: { FileSystem.realName($0).hasPrefix(inside) }) {
      throw RenderError(.usage, "\(file) is an input in the output folder \(path); name another.")
    }
    if let foreign = Self.foreign(in: path, content) {
      throw RenderError(
        .usage,
        "the folder \(path) holds what Tessera did not make (\(foreign)); name another folder.")
    }
    try rule.require(path) { owner(of: path, content) }
  }

  /// The path of a folder as that of a file is written.
  package static func withoutSlash(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The name of something in the folder that is not part of an output; nil where all of it is.
  private static func foreign(in folder: String, _ content: Content) -> String? {
    let names = FileSystem.names(in: folder)
    guard !names.isEmpty else { return nil }
    let entry = FileManager.default.contents(atPath: "\(folder)/\(content.entry)")
    guard let entry, TesseraVersion.isNamed(in: entry) else { return names[0] }
    return names.first { !isPart("\(folder)/\($0)", content) }
  }

  private static func isPart(_ path: String, _ content: Content) -> Bool {
    if FileSystem.isFolder(path) {
      return FileSystem.names(in: path).allSatisfy { isPart("\(path)/\($0)", content) }
    }
    return content.endings.contains { path.hasSuffix($0) }
  }

  /// Whose the folder at `path` is. Its entry has a hash of itself and of what else is there.
  private static func owner(of path: String, _ content: Content) -> FileMark.Owner {
    guard !FileSystem.names(in: path).isEmpty else { return .own }
    let owner = FileMark(path: content.entry).owner(
      of: "\(path)/\(content.entry)", beside: listing(of: path, content), .standard)
    return owner == .own ? .own : .edited
  }

  /// The names and sizes of all files in `folder` but its entry.
  private static func listing(of folder: String, _ content: Content) -> Data {
    func lines(_ name: String) -> [String] {
      let path = "\(folder)/\(name)"
      guard FileSystem.isFolder(path) else { return ["\(FileSystem.byteCount(of: path)) \(name)"] }
      return FileSystem.names(in: path).flatMap { lines("\(name)/\($0)") }
    }
    let names = FileSystem.names(in: folder).filter { $0 != content.entry }
    return Data(names.flatMap(lines).joined(separator: "\n").utf8)
  }

  /// Makes sure early that the folder can be made at `path`.
  ///
  /// - Throws: what ``init(_:_:protecting:overwriting:)`` throws.
  package static func require(
    _ path: String, _ content: Content, protecting files: [String], overwriting: Bool = false
  ) throws(RenderError) {
    _ = try OutputFolder(path, content, protecting: files, overwriting: overwriting)
  }

  /// Where the files are written until all are there.
  package mutating func temporaryPath() throws(RenderError) -> String {
    try pending.begin().path
  }

  /// Removes what processes that have died had begun to write instead of this folder.
  package func removeRemains() { pending.removeRemains() }

  /// Gives the finished folder its name, from which an earlier one goes.
  package mutating func commit() throws(RenderError) {
    let folder = try pending.begin().path
    let entry = "\(folder)/\(content.entry)"
    if let text = FileManager.default.contents(atPath: entry) {
      let beside = Self.listing(of: folder, content)
      let marked = FileMark(path: content.entry).marked(text, beside: beside)
      if let number = FileDescriptor.write(marked, to: entry) {
        throw RenderError(SystemError("write", path, number: number))
      }
    }
    try pending.commit()
  }
}
