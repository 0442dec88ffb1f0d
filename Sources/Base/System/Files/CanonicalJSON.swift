package import Foundation
import TesseraMessages

/// JSON on one line with sorted keys, so that equal values have equal bytes.
package enum CanonicalJSON {
  /// Encodes `value`. Returns empty data if `value` contains what JSON cannot represent, such as
  /// NaN; the program's own values do not.
  package static func bytes(_ value: some Encodable, by encoder: JSONEncoder = encoder) -> Data {
    (try? encoder.encode(value)) ?? Data()
  }

  /// Encodes `value` as JSON text; see ``bytes(_:)``.
  package static func text(_ value: some Encodable, by encoder: JSONEncoder = encoder) -> String {
    String(decoding: bytes(value, by: encoder), as: UTF8.self)
  }

  /// Decodes a value from JSON; returns `nil` if `bytes` are not valid.
  package static func value<Value: Decodable>(
    _ bytes: Data, as type: Value.Type = Value.self
  ) -> Value? { try? JSONDecoder().decode(type, from: bytes) }

  /// The encoder behind ``bytes(_:)``, for values that may fail or need further settings.
  package static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The encoder of documents that only Tessera reads. Messages keep their options and files.
  package static var internalEncoder: JSONEncoder {
    let encoder = encoder
    encoder.userInfo[UserMessage.keepsParts] = true
    return encoder
  }
}
