package import TesseraSystem

/// Sees to it that work for which too few files may be open ends with a sentence before it begins.
package enum OpenFiles {
  /// What a process needs besides its recordings: its pipes, its work folder, libraries' own.
  package static let own = 40

  /// Refuses to begin where `needed` files are too many, those for workers' pipes among them.
  package static func require(
    _ needed: Int = own, limit: Int = ProcessFiles.limit
  ) throws(RenderError) {
    guard limit < needed else { return }
    throw RenderError(
      .failure,
      "Too many open files would be needed, \(needed) at a time, and the system allows \(limit); "
        + "allow more, as with \"ulimit -n \(max(4096, 2 * needed))\".")
  }
}
