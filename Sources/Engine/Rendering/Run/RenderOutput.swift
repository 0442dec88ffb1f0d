import TesseraCodecs
package import TesseraJobs
import TesseraPlan
import TesseraSystem

/// A file, or a folder for HTTP Live Streaming, that a render makes.
final class RenderOutput {
  /// Its name, as it was given.
  let path: String
  private var file: OutputFile?
  private var folder: OutputFolder?

  /// What will be at `target`.
  ///
  /// - Throws: what ``OutputFile`` and ``OutputFolder`` throw where it has no place, or something is
  ///   there that may not be replaced.
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

  /// Removes what renders that have died had begun to write instead.
  func removeRemains() {
    file?.removeRemains()
    folder?.removeRemains()
  }

  /// Where it is written until it is complete.
  func temporaryPath() throws(RenderError) -> String {
    if let path = try file?.temporaryPath() { return path }
    return try folder?.temporaryPath() ?? path
  }

  /// Gives it its name, unless `report` says that there is none or that it has it already, and
  /// completes the report.
  func commit(_ report: inout RenderReport) throws(RenderError) {
    guard report.error == nil else { return report.output = path }
    if report.output.isEmpty {
      try file?.commit()
      try folder?.commit()
    }
    report.output = path
    if let made = folder?.path {
      report.output = "\(path)/\(StreamFolder.entry)"
      report.byteCount = FileSystem.byteCount(below: made)
    } else {
      report.byteCount = FileSystem.byteCount(of: file?.path ?? path)
    }
  }
}

extension OutputFolder.Content {
  /// A folder for HTTP Live Streaming.
  package static let stream = OutputFolder.Content(
    entry: StreamFolder.entry, endings: [".m3u8", ".m4s", ".mp4", ".vtt", ".json"])
}
