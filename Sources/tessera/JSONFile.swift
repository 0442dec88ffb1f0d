import Foundation
import Rendering

/// Values as JSON for people and programs.
enum JSONFile {
  /// The value as indented JSON with its keys in order.
  static func text(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + Data("\n".utf8)
  }

  /// Writes the value into the file `path`, which is complete or not there.
  static func write(_ value: some Encodable, to path: String) throws {
    do {
      try text(value).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw RenderError(.failure, "cannot write \(path): \(error.localizedDescription)")
    }
  }
}
