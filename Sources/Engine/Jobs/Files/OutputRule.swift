import TesseraSystem

/// What may be written over: the one rule for all files that somebody names.
struct OutputRule: Sendable {
  /// What is read, or written besides: files, and folders of files.
  let protected: [String]
  /// Whether what Tessera did not make may be replaced.
  let isOverwriting: Bool

  /// Makes sure that `path`, where links lead nowhere else, is none of the files that are protected.
  func requireOther(_ path: String) throws(RenderError) {
    guard !protected.contains(where: { FileSystem.areSame($0, path) }) else {
      throw RenderError(
        .usage, "\(path) is one of the inputs or another output; give the output another name.")
    }
  }

  /// Makes sure that what is at `path` may go; `owner` says whose it is.
  ///
  /// - Throws: where it is protected, or not Tessera's own and not to be overwritten.
  func require(_ path: String, owner: () -> FileMark.Owner) throws(RenderError) {
    try requireOther(path)
    // Losing an empty file costs nothing.
    guard FileSystem.isFolder(path) || FileSystem.byteCount(of: path) > 0 else { return }
    let owner = owner()
    if owner == .others, let folder = protectedFolder(of: path) {
      throw RenderError(
        .usage,
        "\(path) lies in \(folder), which is one of the inputs or another output; give the output "
          + "another name.")
    }
    guard owner != .own, !isOverwriting else { return }
    let what =
      owner == .edited
      ? "somebody has changed it since Tessera made it" : "Tessera did not make it"
    throw RenderError(
      .usage,
      "\(path) is there already, and \(what): give the output another name, or "
        + "\(option: "overwrite") to replace it.")
  }

  private func protectedFolder(of path: String) -> String? {
    let real = FileSystem.realName(path)
    return protected.first { folder in
      FileSystem.isFolder(folder) && real.hasPrefix(FileSystem.realName(folder) + "/")
    }
  }
}
