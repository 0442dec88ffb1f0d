import Foundation

/// Values as JSON for people and programs.
enum JSONFile {
  /// The value as indented JSON with its keys in order.
  static func text(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(value), as: UTF8.self)
    return Data((RemoteNames.knownInJSON(text).withEscapedDirections + "\n").utf8)
  }
}
