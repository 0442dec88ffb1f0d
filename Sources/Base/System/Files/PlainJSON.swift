package import Foundation

/// JSON on one line with its keys in order, so that equal values make equal bytes.
package enum PlainJSON {
  /// `value` as JSON; nothing where it holds what JSON cannot, which the program's own values do
  /// not.
  package static func bytes(_ value: some Encodable) -> Data {
    (try? encoder.encode(value)) ?? Data()
  }

  /// ``bytes(_:)`` as text.
  package static func text(_ value: some Encodable) -> String {
    String(decoding: bytes(value), as: UTF8.self)
  }

  /// The value that `bytes` are the JSON of; nil where they are not that of one.
  package static func value<Value: Decodable>(
    _ bytes: Data, as type: Value.Type = Value.self
  ) -> Value? { try? JSONDecoder().decode(type, from: bytes) }

  /// What values are encoded by that can fail, or need more to be said.
  package static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
