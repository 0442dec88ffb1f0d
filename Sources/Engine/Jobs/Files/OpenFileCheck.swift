import TesseraMessages
package import TesseraSystem

/// Checks the limit of open files before work starts, so that it fails early with a clear message.
package enum OpenFileCheck {
  /// Files that a process needs besides its recordings: pipes, the work folder and files of
  /// libraries.
  package static let own = 40

  /// Throws if `needed` open files, including pipes of workers, exceed `limit`.
  package static func require(
    _ needed: Int = own, limit: Int = OpenFileLimit.limit
  ) throws(RenderError) {
    guard limit < needed else { return }
    throw RenderError(
      .failure,
      "Too many open files would be needed, \(needed) at a time, and the system allows \(limit); "
        + "allow more, as with \"ulimit -n \(max(4096, 2 * needed))\".")
  }
}
