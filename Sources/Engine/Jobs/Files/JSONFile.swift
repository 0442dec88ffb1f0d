import Foundation
package import TesseraSystem

/// Files of values that only this program reads; large parts of them lie in a folder beside.
package enum JSONFile {
  /// Where the larger parts of the document at `path` are.
  package static func sideFolder(of path: String) -> SideFolder { SideFolder("\(path).parts") }

  /// Writes a value into a folder of Tessera's own, whole or not at all.
  package static func write(_ value: some Encodable, to path: String) throws(RenderError) {
    var file = try OutputFile(inOwnFolder: path)
    try write(value, as: &file)
  }

  /// Writes a value as `file`, whole or not at all.
  package static func write(
    _ value: some Encodable, as file: inout OutputFile
  ) throws(RenderError) {
    let path = file.name
    let encoder = PlainJSON.encoder
    encoder.userInfo[SideFolder.key] = sideFolder(of: path)
    let data: Data
    do {
      data = try encoder.encode(value)
    } catch let error as SystemError where error.isOutOfSpace {
      throw RenderError(error)
    } catch {
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      throw RenderError(
        .failure,
        "cannot write \(path) and the folder for its parts beside it: name a file in another folder "
          + "than \(folder), or make room there.")
    }
    try file.write(data)
  }

  /// The small value in the file at `path`; nil where there is none of that kind.
  package static func value<Value: Decodable>(at path: String) -> Value? {
    FileManager.default.contents(atPath: path).flatMap { PlainJSON.value($0) }
  }
}
