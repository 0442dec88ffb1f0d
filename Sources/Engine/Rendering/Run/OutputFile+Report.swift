import TesseraCodecs
package import TesseraJobs
import TesseraPlan
import TesseraSystem

extension OutputFile {
  /// Prepares an output at `target`. Creates nothing yet.
  ///
  /// - Throws: the errors of ``init(_:_:protecting:overwriting:mark:records:)``.
  convenience init(
    _ target: RenderTarget, protecting files: [String], overwriting: Bool
  ) throws(RenderError) {
    try self.init(
      target.path, target.rung == nil ? nil : .stream, protecting: files, overwriting: overwriting)
  }

  /// Renames the finished output to its path and completes `report`. The file stays where it is if
  /// the report has an error or already names the output.
  func finish(_ report: inout RenderReport) throws(RenderError) {
    guard report.error == nil else { return report.output = name }
    if report.output.isEmpty { try commit() }
    report.output = name
    if isFolder {
      report.output = "\(name)/\(HLSPackager.entry)"
      report.byteCount = FileOperations.byteCount(below: path)
    } else {
      report.byteCount = FileOperations.byteCount(of: path)
    }
  }
}

extension OutputFolderKind {
  /// The entry file and the file extensions of an HLS folder.
  package static let stream = OutputFolderKind(
    entry: HLSPackager.entry, endings: [".m3u8", ".m4s", ".mp4", ".vtt", ".json"])
}
