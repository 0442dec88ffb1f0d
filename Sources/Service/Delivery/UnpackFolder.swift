import Glibc
import TesseraMessages
package import TesseraSystem

/// The folder that archives are unpacked into, created on first use. A scratch folder by default;
/// ``keep(in:)`` makes it permanent.
package final class UnpackFolder: Sendable {
  private let scratch = ConditionLock(ScratchFolder?.none)
  /// The parent folder of unpacked archives that are kept; `nil` if they are removed.
  private let lasting = ConditionLock(String?.none)

  package init() {}

  /// Creates the folder `parent`, in which archives are kept that are unpacked from now on.
  package func keep(in parent: String) throws {
    try FileOperations.makeFolder(parent)
    lasting.update { $0 = parent }
  }

  /// Returns the path of the folder for the next call's archives.
  ///
  /// A scratch folder is created anew and replaces an earlier scratch folder, which is removed. A
  /// permanent folder has one subfolder per process.
  ///
  /// - Throws: ``RenderError`` if the scratch folder cannot be created.
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

  /// The folder of the archives that are unpacked now; empty if none is.
  var paths: [String] {
    let parent = lasting.withLock(\.self)
    return [parent ?? scratch.withLock { $0?.path }].compactMap(\.self)
  }

  /// Removes the scratch folder with its content. A permanent folder stays.
  package func remove() { scratch.update { $0 = nil } }
}
