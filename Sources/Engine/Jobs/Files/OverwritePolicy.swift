import TesseraMessages
import TesseraSystem

/// Decides whether an existing file may be replaced: the one rule for all files that users name.
struct OverwritePolicy: Sendable {
  /// The inputs and other outputs: files, and folders of files.
  let protected: [String]
  /// True if files may be replaced that Tessera did not make, or that were changed since.
  let isOverwriting: Bool

  /// Throws if `path`, with symbolic links resolved, is one of the protected files.
  func requireOther(_ path: String) throws(RenderError) {
    guard !protected.contains(where: { FileOperations.areSame($0, path) }) else {
      throw RenderError(
        .usage,
        "\(file: path) is one of the inputs or another output; give the output another name.")
    }
  }

  /// Throws if the file or folder at `path` may not be replaced. `owner` returns its origin.
  ///
  /// - Throws: ``RenderError`` of kind `usage` if it is protected, or if it is not Tessera's own,
  ///   unchanged file and overwriting is off.
  func require(_ path: String, owner: () -> OutputMark.Origin) throws(RenderError) {
    try requireOther(path)
    // An empty file may always be replaced.
    guard FileOperations.isFolder(path) || FileOperations.byteCount(of: path) > 0 else { return }
    let owner = owner()
    if owner == .others, let folder = protectedFolder(of: path) {
      throw RenderError(
        .usage,
        "\(file: path) is in \(file: folder), which is one of the inputs or another output; give the output "
          + "another name.")
    }
    guard owner != .own, !isOverwriting else { return }
    let what =
      owner == .edited
      ? "it was changed since Tessera made it" : "Tessera did not make it"
    throw RenderError(
      .usage,
      "\(file: path) already exists, and \(what): give the output another name, or "
        + "\(option: "overwrite") to replace it.")
  }

  private func protectedFolder(of path: String) -> String? {
    let real = FileOperations.realName(path)
    return protected.first { folder in
      FileOperations.isFolder(folder) && real.hasPrefix(FileOperations.realName(folder) + "/")
    }
  }
}
