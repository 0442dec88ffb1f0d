import Foundation

/// Values as JSON for people and programs.
enum JSONFile {
  /// The value as indented JSON with its keys in order.
  static func text(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + Data("\n".utf8)
  }
}
