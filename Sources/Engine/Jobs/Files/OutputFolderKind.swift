import Foundation
import SystemPackage
import TesseraMessages
import TesseraSystem

/// The kinds of files in a folder that an ``OutputFile`` writes.
package struct OutputFolderKind: Sendable {
  /// The file that is written last and carries the ``OutputMark`` of the folder.
  package var entry: String
  /// The extensions of all files in the folder.
  package var endings: Set<String>

  package init(entry: String, endings: Set<String>) {
    (self.entry, self.endings) = (entry, endings)
  }

  /// Throws if the existing folder or file at `path` may not be replaced: if it is neither an empty
  /// folder nor one that Tessera made, or if one of the protected files is inside it.
  func requireReplaceable(_ path: String, _ rule: OverwritePolicy) throws(RenderError) {
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
    if let foreign = foreign(in: path) {
      throw RenderError(
        .usage,
        "the folder \(file: path) contains files that Tessera did not make (\(foreign)); name another folder."
      )
    }
    try rule.require(path) { owner(of: path) }
  }

  /// Returns the path of a folder without trailing slashes.
  package static func withoutSlash(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// Returns the name of a file in the folder that is not part of an output; nil if all are.
  private func foreign(in folder: String) -> String? {
    let names = FileOperations.names(in: folder)
    guard !names.isEmpty else { return nil }
    let entry = FileManager.default.contents(atPath: "\(folder)/\(entry)")
    guard let entry, TesseraVersion.isNamed(in: entry) else { return names[0] }
    return names.first { !isPart("\(folder)/\($0)") }
  }

  private func isPart(_ path: String) -> Bool {
    if FileOperations.isFolder(path) {
      return FileOperations.names(in: path).allSatisfy { isPart("\(path)/\($0)") }
    }
    return endings.contains { path.hasSuffix($0) }
  }

  /// Returns the origin of the folder at `path`. The hash in its entry file covers the listing of
  /// all other files.
  private func owner(of path: String) -> OutputMark.Origin {
    guard !FileOperations.names(in: path).isEmpty else { return .own }
    let owner = OutputMark(path: entry).owner(
      of: "\(path)/\(entry)", beside: listing(of: path), .standard)
    return owner == .own ? .own : .edited
  }

  /// Returns the names and sizes of all files in `folder` except the entry file.
  private func listing(of folder: String) -> Data {
    func lines(_ name: String) -> [String] {
      let path = "\(folder)/\(name)"
      guard FileOperations.isFolder(path) else {
        return ["\(FileOperations.byteCount(of: path)) \(name)"]
      }
      return FileOperations.names(in: path).flatMap { lines("\(name)/\($0)") }
    }
    let names = FileOperations.names(in: folder).filter { $0 != entry }
    return Data(names.flatMap(lines).joined(separator: "\n").utf8)
  }

  /// Writes the mark into the entry file of the finished `folder`.
  func mark(_ folder: String) throws(SystemError) {
    let path = "\(folder)/\(entry)"
    guard let text = FileManager.default.contents(atPath: path) else { return }
    let marked = OutputMark(path: entry).marked(text, beside: listing(of: folder))
    if let number = FileDescriptor.write(marked, to: path) {
      throw SystemError("write", path, number: number)
    }
  }
}
