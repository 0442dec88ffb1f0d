import TesseraJobs
import TesseraPlan
import TesseraPlanning
import TesseraSystem

/// A file that a render makes.
final class RenderOutput {
  /// Its name, as it was given.
  let path: String
  private var file: OutputFile

  /// What will be `path`.
  ///
  /// - Throws: what ``OutputFile/init(_:protecting:)`` throws.
  init(_ path: String, protecting files: [String]) throws(RenderError) {
    self.path = path
    file = try OutputFile(path, protecting: files)
  }

  /// Removes what renders that have died had begun to write instead.
  func removeRemains() { file.removeRemains() }

  /// Where it is written until it is complete.
  func temporaryPath() throws(RenderError) -> String { try file.temporaryPath() }

  /// Gives the file its name, unless `report` says that there is none or that it has it already, and
  /// completes the report.
  func commit(_ report: inout RenderReport) throws(RenderError) {
    guard report.error == nil else { return report.output = path }
    if report.output.isEmpty { try file.commit() }
    report.output = path
    report.byteCount = FileSystem.byteCount(of: file.path)
  }
}
