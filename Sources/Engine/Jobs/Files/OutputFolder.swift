import Foundation
import Glibc
import SystemPackage
import TesseraMessages
package import TesseraSystem

/// A folder of files that is being written. It has a temporary name beside the output until all
/// files are complete, so that it never appears half-finished and an earlier folder stays intact
/// until then.
package struct OutputFolder: ~Copyable {
  private var pending: PendingOutput
  private let content: FileKinds

  /// The path of the finished folder, with symbolic links resolved.
  package var path: String { pending.path }

  /// The kinds of files in an output folder.
  package struct FileKinds: Sendable {
    /// The file that is written last and carries the ``OutputMark`` of the folder.
    package var entry: String
    /// The extensions of all files in the folder.
    package var endings: Set<String>

    package init(entry: String, endings: Set<String>) {
      (self.entry, self.endings) = (entry, endings)
    }
  }

  /// Prepares a folder at `path`. Creates nothing yet.
  ///
  /// - Parameters:
  ///   - path: the path, as the user gave it.
  ///   - content: the files that the folder will contain.
  ///   - files: files and folders that are read or written besides. The output replaces none of
  ///     them.
  ///   - overwriting: true to replace a folder that Tessera made and that was changed since.
  /// - Throws: ``RenderError`` if `path` exists and is neither an empty folder nor one that Tessera
  ///   made, if one of `files` is inside it, or if the folder that contains it cannot be written
  ///   to.
  package init(
    _ path: String, _ content: FileKinds, protecting files: [String] = [], overwriting: Bool = false
  ) throws(RenderError) {
    let path = FileOperations.followingLinks(Self.withoutSlash(path))
    let rule = OverwritePolicy(protected: files, isOverwriting: overwriting)
    pending = try PendingOutput(path, .folder) { () throws(RenderError) in
      try Self.requireReplaceable(path, content, rule)
    }
    self.content = content
  }

  /// Throws if the existing folder or file at `path` may not be replaced.
  private static func requireReplaceable(
    _ path: String, _ content: FileKinds, _ rule: OverwritePolicy
  ) throws(RenderError) {
    try rule.requireOther(path)
    guard FileOperations.exists(path) else { return }
    guard FileOperations.isFolder(path) else {
      throw RenderError(
        .usage,
        "cannot write the folder \(file: path): there is a file of that name; give it another.")
    }
    let inside = FileOperations.realName(path) + "/"
    if let file = rule.protected.first(where: { FileOperations.realName($0).hasPrefix(inside) }) {
      throw RenderError(
        .usage, "\(file: file) is an input in the output folder \(file: path); name another.")
    }
    if let foreign = Self.foreign(in: path, content) {
      throw RenderError(
        .usage,
        "the folder \(file: path) contains files that Tessera did not make (\(foreign)); name another folder."
      )
    }
    try rule.require(path) { owner(of: path, content) }
  }

  /// Returns the path of a folder without trailing slashes.
  package static func withoutSlash(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Returns the name of a file in the folder that is not part of an output; nil if all are.
  private static func foreign(in folder: String, _ content: FileKinds) -> String? {
    let names = FileOperations.names(in: folder)
    guard !names.isEmpty else { return nil }
    let entry = FileManager.default.contents(atPath: "\(folder)/\(content.entry)")
    guard let entry, TesseraVersion.isNamed(in: entry) else { return names[0] }
    return names.first { !isPart("\(folder)/\($0)", content) }
  }

  private static func isPart(_ path: String, _ content: FileKinds) -> Bool {
    if FileOperations.isFolder(path) {
      return FileOperations.names(in: path).allSatisfy { isPart("\(path)/\($0)", content) }
    }
    return content.endings.contains { path.hasSuffix($0) }
  }

  /// Returns the origin of the folder at `path`. The hash in its entry file covers the listing of
  /// all other files.
  private static func owner(of path: String, _ content: FileKinds) -> OutputMark.Origin {
    guard !FileOperations.names(in: path).isEmpty else { return .own }
    let owner = OutputMark(path: content.entry).owner(
      of: "\(path)/\(content.entry)", beside: listing(of: path, content), .standard)
    return owner == .own ? .own : .edited
  }

  /// Returns the names and sizes of all files in `folder` except the entry file.
  private static func listing(of folder: String, _ content: FileKinds) -> Data {
    func lines(_ name: String) -> [String] {
      let path = "\(folder)/\(name)"
      guard FileOperations.isFolder(path) else {
        return ["\(FileOperations.byteCount(of: path)) \(name)"]
      }
      return FileOperations.names(in: path).flatMap { lines("\(name)/\($0)") }
    }
    let names = FileOperations.names(in: folder).filter { $0 != content.entry }
    return Data(names.flatMap(lines).joined(separator: "\n").utf8)
  }

  /// Checks early that the folder can be made at `path`.
  ///
  /// - Throws: the errors of ``init(_:_:protecting:overwriting:)``.
  package static func require(
    _ path: String, _ content: FileKinds, protecting files: [String], overwriting: Bool = false
  ) throws(RenderError) {
    _ = try OutputFolder(path, content, protecting: files, overwriting: overwriting)
  }

  /// Returns the folder to write to until all files are complete. Creates the temporary folder.
  package mutating func temporaryPath() throws(RenderError) -> String {
    try pending.begin().path
  }

  /// Removes temporary folders of this output that dead processes left behind.
  package func removeRemains() { pending.removeRemains() }

  /// Marks the entry file and renames the folder to its final path, in exchange for an earlier
  /// folder.
  package mutating func commit() throws(RenderError) {
    let folder = try pending.begin().path
    let entry = "\(folder)/\(content.entry)"
    if let text = FileManager.default.contents(atPath: entry) {
      let beside = Self.listing(of: folder, content)
      let marked = OutputMark(path: content.entry).marked(text, beside: beside)
      if let number = FileDescriptor.write(marked, to: entry) {
        throw RenderError(SystemError("write", path, number: number))
      }
    }
    try pending.moveIntoPlace()
  }
}
