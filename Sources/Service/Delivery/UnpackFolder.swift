package import TesseraSystem

/// The folder that archives are unpacked into, if any are, until it is removed.
package final class UnpackFolder: Sendable {
  private let scratch = Monitor(ScratchFolder?.none)

  /// A folder that is not made yet.
  package init() {}

  /// Makes the folder, or another one in its place.
  package func make() throws(RenderError) -> String {
    do throws(SystemError) {
      let made = try ScratchFolder()
      scratch.update { $0 = made }
      return made.path
    } catch {
      throw RenderError(
        error.mayPass ? .temporary : .failure,
        "\(error); make room there, or set TMPDIR to another folder.")
    }
  }

  /// Removes it with all that is in it.
  package func remove() { scratch.update { $0 = nil } }
}
