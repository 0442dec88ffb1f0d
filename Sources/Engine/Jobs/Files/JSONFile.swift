import Foundation
import TesseraMessages
package import TesseraSystem

/// Reads and writes JSON files that only this program reads. Large values are stored in a folder
/// beside the file.
package enum JSONFile {
  /// Returns the folder for large values of the document at `path`: `PATH.parts`.
  package static func contentStore(of path: String) -> ContentAddressedStore {
    ContentAddressedStore("\(path).parts")
  }

  /// Writes a value to a folder that Tessera owns, atomically.
  package static func write(_ value: some Encodable, to path: String) throws(RenderError) {
    try write(value, as: OutputFile(inOwnFolder: path))
  }

  /// Writes a value as `file`, atomically.
  package static func write(
    _ value: some Encodable, as file: OutputFile
  ) throws(RenderError) {
    let path = file.name
    let encoder = CanonicalJSON.internalEncoder
    encoder.userInfo[ContentAddressedStore.key] = contentStore(of: path)
    let data: Data
    do {
      data = try encoder.encode(value)
    } catch let error as SystemError where error.isOutOfSpace {
      throw RenderError(error)
    } catch {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      throw RenderError(
        .failure,
        "cannot write \(file: path) and the folder for its parts beside it: name a file in another folder "
          + "than \(file: folder), or make room there.")
    }
    try file.write(data)
  }

  /// Reads the small value in the file at `path`; nil if the file is missing or contains anything
  /// else.
  package static func value<Value: Decodable>(at path: String) -> Value? {
    FileManager.default.contents(atPath: path).flatMap { CanonicalJSON.value($0) }
  }
}
