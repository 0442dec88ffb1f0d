import Foundation
import TesseraCodecs
public import TesseraRequest
import TesseraSystem

/// A call that is rendered as one of many.
public struct BatchJob: Sendable {
  /// What people and programs know it by; no other job of the batch has it.
  public var id: String
  /// What is read, and what is made of it.
  public var request: RenderRequest
  /// Jobs with a higher one begin before others.
  public var priority = 0
  /// Its place in the batch, from 0.
  package var number = 0
  /// True if the input was found in a folder of calls. A session file that nobody has named may name
  /// only files below its own folder.
  package var isListed = false

  /// `request`, which is called `id`.
  public init(_ id: String, _ request: RenderRequest) { (self.id, self.request) = (id, request) }

  /// The call at `input`, rendered into a file at `output`; it is called as the input is, without
  /// its ending.
  public init(_ input: String, to output: String) {
    self.init(Self.name(of: input), RenderRequest(input, to: output))
  }

  /// The files and folders that the outputs are.
  package var outputFiles: [String] { request.outputs.map(\.place) }

  /// The files that are made beside the outputs.
  package var besides: [String] {
    request.sidecars.files + [request.sidecars.stems].compactMap(\.self)
  }

  /// What is there of the outputs once they are made; a folder for HTTP Live Streaming is named
  /// by its playlist, as render names it.
  var made: [String] {
    outputFiles.map { path in
      let entry = Self.plain("\(path)/\(StreamFolder.entry)")
      return FileSystem.exists(entry) ? entry : path
    }
  }

  /// The folders of this machine that the outputs and what is made beside them lie in.
  package var folders: Set<String> {
    Set(
      (outputFiles + besides).filter { !$0.contains("://") }
        .map { URL(fileURLWithPath: $0).deletingLastPathComponent().path })
  }

  /// `path` with one slash where several follow each other, which changes no file of this machine.
  package static func plain(_ path: String) -> String {
    guard path.contains("//"), !path.contains("://") else { return path }
    var plain = path
    while plain.contains("//") { plain = plain.replacing("//", with: "/") }
    return plain
  }

  /// The name of a recording's file or folder, without its ending.
  package static func name(of input: String) -> String {
    URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
  }
}
