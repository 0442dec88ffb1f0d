import TesseraSoundtrack
import TesseraSystem

/// Sees to it that a render for which too few files may be open ends with a sentence before it
/// begins.
enum OpenFiles {
  /// What a process needs besides its recordings: its pipes, its work folder, libraries' own.
  static let own = 40

  /// Refuses to begin where the files of all voices, which are read at once, are too many.
  static func require(for plan: Plan, limit: Int = ProcessFiles.limit) throws(RenderError) {
    try require(own + Set(plan.voices.map(\.source.path)).count, limit: limit)
  }

  /// Refuses to begin where `needed` files are too many, those for workers' pipes among them.
  static func require(
    _ needed: Int = own, limit: Int = ProcessFiles.limit
  ) throws(RenderError) {
    guard limit < needed else { return }
    throw RenderError(
      .failure,
      "Too many open files would be needed, \(needed) at a time, and the system allows \(limit); "
        + "allow more, as with \"ulimit -n \(max(4096, 2 * needed))\".")
  }
}
