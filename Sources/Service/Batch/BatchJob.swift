import Foundation
import TesseraCodecs
public import TesseraRequest
import TesseraSystem

/// One call to render as part of a batch.
public struct BatchJob: Sendable {
  /// The job's id in messages and results, unique within the batch.
  public var id: String
  /// The inputs, outputs and settings of the render.
  public var request: RenderRequest
  /// The job's priority (default: 0). Jobs of a higher priority start first.
  public var priority = 0
  /// The job's index in the batch, from 0.
  package var number = 0
  /// True if the input was found by listing a folder of calls. Since no user named its session
  /// file, that file may only refer to files below its own folder.
  package var isListed = false

  /// Creates a job with the given id that performs `request`.
  public init(_ id: String, _ request: RenderRequest) { (self.id, self.request) = (id, request) }

  /// Creates a job that renders the call at `input` into a file at `output`. The job's id is the
  /// input's name without its extension.
  public init(_ input: String, to output: String) {
    self.init(Self.name(of: input), RenderRequest(input, to: output))
  }

  /// The paths or addresses of the outputs, files and folders alike.
  package var outputFiles: [String] { request.outputs.map(\.destination) }

  /// The paths of the files and folders written beside the outputs: sidecar files and stems.
  package var besides: [String] {
    request.sidecars.files + [request.sidecars.stems].compactMap(\.self)
  }

  /// The paths of all files and folders that the job writes.
  var files: [String] { outputFiles + besides }

  /// The paths of the outputs on disk after the render. An HLS folder is listed by the path of its
  /// playlist, as a single render reports it.
  var made: [String] {
    outputFiles.map { path in
      let entry = Self.plain("\(path)/\(HLSPackager.entry)")
      return FileOperations.exists(entry) ? entry : path
    }
  }

  /// The local folders into which the outputs and their sidecar files are written.
  package var folders: Set<String> {
    Set(
      files.filter { !$0.contains("://") }
        .map { URL(fileURLWithPath: $0).deletingLastPathComponent().path })
  }

  /// Returns `path` with repeated slashes collapsed. Both paths name the same local file; an
  /// address is returned unchanged.
  package static func plain(_ path: String) -> String {
    guard path.contains("//"), !path.contains("://") else { return path }
    var plain = path
    while plain.contains("//") { plain = plain.replacing("//", with: "/") }
    return plain
  }

  /// Returns the name of a recording's file or folder without its extension.
  package static func name(of input: String) -> String {
    URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
  }
}
