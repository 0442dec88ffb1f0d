import Foundation
import TesseraDocuments
import TesseraRecordings
import TesseraStorage
import TesseraSystem

/// The paths and addresses in a session file.
package struct SessionAddresses {
  /// The addresses of recordings and images, each once, in order.
  package let addresses: [String]
  private let recording: Recording
  private let folder: String

  /// All paths, relative to the session file's folder, and addresses.
  package var paths: [String] { recording.paths }

  /// The names of the outputs beside the main output.
  package var outputs: [String] { recording.outputs.map(\.file) }

  /// True if the file at `path` is a session file that names addresses.
  package static func areNamed(by path: String) -> Bool {
    SessionAddresses(path)?.addresses.isEmpty == false
  }

  /// Reads the file at `path`; `nil` if it is no session file.
  package init?(_ path: String) {
    guard let syntax = Document.Syntax(fileName: path),
      let bytes = try? RegularFile.bytes(path, atMost: Document.maximumSize + 1),
      let document = try? Document(bytes, syntax, file: path),
      document.object?["participants"]?.list != nil, document.object?["version"]?.numeral != nil,
      let recording = try? SessionFile.recording(from: document, file: path)
    else { return nil }
    self.recording = recording
    folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    addresses = recording.paths.filter(Location.isAddress).reduce(into: []) { found, address in
      if !found.contains(address) { found.append(address) }
    }
  }

  /// The first address or path outside of `prefix`, where the session file is; `nil` if there is none.
  package func outside(_ prefix: String) -> String? {
    addresses.first { !$0.hasPrefix(prefix) } ?? recording.pathOutside
  }

  /// The session file as JSON for any folder, with each address replaced by its file in `files`.
  package func json(_ files: [String: String]) -> String {
    var recording = recording
    recording.mapPaths { path in
      files[path] ?? (path.isAbsolutePath || Location.isAddress(path) ? path : "\(folder)/\(path)")
    }
    return SessionFile.document(recording).json(isIndented: true)
  }
}
