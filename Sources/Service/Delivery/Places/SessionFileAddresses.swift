import Foundation
import TesseraDocuments
import TesseraRecordings
import TesseraStorage
import TesseraSystem
import TesseraTimeline

/// The paths and addresses that a session file names.
package struct SessionFileAddresses {
  /// The addresses of recordings and images, each once, in order.
  package let addresses: [String]
  private let recording: Recording
  private let folder: String

  /// All addresses and paths in the session file. Paths are relative to its folder.
  package var paths: [String] { recording.paths }

  /// The file names of the outputs that the session file requests beside the main output.
  package var outputs: [String] { recording.outputs.map(\.file) }

  /// True if the file at `path` is a session file that names addresses.
  package static func areNamed(by path: String) -> Bool {
    SessionFileAddresses(path)?.addresses.isEmpty == false
  }

  /// Reads the file at `path`; `nil` if it is not a valid session file.
  package init?(_ path: String) {
    guard let syntax = DocumentValue.Syntax(fileName: path),
      let bytes = try? RegularFile.bytes(path, atMost: DocumentValue.maximumSize + 1),
      let document = try? DocumentValue(bytes, syntax, file: path),
      document.object?["participants"]?.list != nil, document.object?["version"]?.numeral != nil,
      let recording = try? SessionFile.recording(from: document, file: path)
    else { return nil }
    self.recording = recording
    folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    addresses = recording.paths.filter(Location.isAddress).unique
  }

  /// Finds the first address or path that is outside of the session file's folder.
  ///
  /// - Parameter prefix: the address of the session file's folder.
  /// - Returns: an address that does not start with `prefix`, otherwise a path that leaves the
  ///   folder; `nil` if there is none.
  package func outside(_ prefix: String) -> String? {
    addresses.first { !$0.hasPrefix(prefix) } ?? recording.pathOutside
  }

  /// Encodes the session as JSON for use in any folder: each address is replaced by its file in
  /// `files`, and each relative path is made absolute.
  package func json(_ files: [String: String]) -> String {
    var recording = recording
    recording.mapPaths { path in
      files[path] ?? (path.isAbsolutePath || Location.isAddress(path) ? path : "\(folder)/\(path)")
    }
    return SessionFile.document(recording).json(isIndented: true)
  }
}
