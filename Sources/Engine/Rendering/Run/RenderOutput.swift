import TesseraCodecs
package import TesseraJobs
import TesseraPlan
import TesseraSystem

/// A file or an HLS folder that a render writes.
final class RenderOutput {
  /// The output's path as the user gave it.
  let path: String
  private var file: OutputFile?
  private var folder: OutputFolder?

  /// Prepares an output at `target`. Creates nothing yet.
  ///
  /// - Throws: the errors of ``OutputFile`` and ``OutputFolder``: the folder does not exist or is
  ///   not writable, or an existing file may not be replaced.
  init(
    _ target: RenderTarget, protecting files: [String], overwriting: Bool
  ) throws(RenderError) {
    path = target.path
    switch target {
    case .file(let path):
      file = try OutputFile(path, protecting: files, overwriting: overwriting)
      folder = nil
    case .rung(_, of: let path):
      file = nil
      folder = try OutputFolder(path, .stream, protecting: files, overwriting: overwriting)
    }
  }

  /// Removes temporary files that dead renders of this output left behind.
  func removeRemains() {
    file?.removeRemains()
    folder?.removeRemains()
  }

  /// Returns the path to write to until the output is complete.
  func temporaryPath() throws(RenderError) -> String {
    if let path = try file?.temporaryPath() { return path }
    return try folder?.temporaryPath() ?? path
  }

  /// Renames the finished output to ``path`` and completes `report`. The file stays where it is if
  /// the report has an error or already names the output.
  ///
  /// ``OutputFile`` seals the file; the rename is in `PendingOutput.swift`.
  func finish(_ report: inout RenderReport) throws(RenderError) {
    guard report.error == nil else { return report.output = path }
    if report.output.isEmpty {
      try file?.commit()
      try folder?.commit()
    }
    report.output = path
    if let made = folder?.path {
      report.output = "\(path)/\(HLSPackager.entry)"
      report.byteCount = FileOperations.byteCount(below: made)
    } else {
      report.byteCount = FileOperations.byteCount(of: file?.path ?? path)
    }
  }
}

extension OutputFolder.FileKinds {
  /// The entry file and the file extensions of an HLS folder.
  package static let stream = OutputFolder.FileKinds(
    entry: HLSPackager.entry, endings: [".m3u8", ".m4s", ".mp4", ".vtt", ".json"])
}
