import Foundation
import TesseraDocuments
import TesseraRecordings
import TesseraStorage
import TesseraSystem

/// A session file that names recordings or images in buckets or at `https` addresses.
package struct SessionAddresses {
  /// The addresses, each once, in their order.
  package let addresses: [String]
  private let recording: Recording
  private let folder: String

  /// The paths and addresses of all that is read, relative to the session file's folder.
  package var paths: [String] { recording.paths }

  /// The names of what is made beside the main output, and whether they are folders.
  package var outputs: [String] { recording.outputs.map(\.file) }

  /// nil where the file at `path` is something else, also where it names no address and is not
  /// wanted then.
  package init?(_ path: String, isWantedWithout: Bool = false) {
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
    guard isWantedWithout || !addresses.isEmpty else { return nil }
  }

  /// The first address or path that is not one of what lies below `prefix`, where the session itself
  /// lies; nil where all are.
  package func outside(_ prefix: String) -> String? {
    addresses.first { !$0.hasPrefix(prefix) } ?? recording.pathOutside
  }

  /// The session with files instead of addresses, for whatever folder: as JSON.
  package func json(_ files: [String: String]) -> String {
    var recording = recording
    recording.mapPaths { path in
      files[path] ?? (path.isAbsolutePath || Location.isAddress(path) ? path : "\(folder)/\(path)")
    }
    return SessionFile.document(recording).json(isIndented: true)
  }
}
