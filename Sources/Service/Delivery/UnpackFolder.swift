import Glibc
package import TesseraSystem

/// The folder that archives are unpacked into. It is made when needed.
package final class UnpackFolder: Sendable {
  private let scratch = ConditionLock(ScratchFolder?.none)
  /// The folder in which unpacked archives stay; `nil` if they are removed.
  private let lasting = ConditionLock(String?.none)

  /// A folder that is not made yet.
  package init() {}

  /// Keeps archives that are unpacked from now on, in the folder `parent`.
  package func keep(in parent: String) throws {
    try FileSystem.makeFolder(parent)
    lasting.update { $0 = parent }
  }

  /// Makes the folder, or another one in its place.
  package func make() throws(RenderError) -> String {
    if let parent = lasting.withLock(\.self) { return "\(parent)/tessera.\(getpid())" }
    do throws(SystemError) {
      let made = try ScratchFolder()
      scratch.update { $0 = made }
      return made.path
    } catch {
      throw RenderError(
        error.isTransient ? .temporary : .failure,
        "\(error); make room there, or set TMPDIR to another folder.")
    }
  }

  /// Removes the folder with its content, unless it is kept.
  package func remove() { scratch.update { $0 = nil } }
}
