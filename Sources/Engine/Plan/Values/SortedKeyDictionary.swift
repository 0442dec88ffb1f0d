import Foundation
import TesseraSystem

/// A dictionary that is encoded sorted by its keys, so that equal dictionaries have equal
/// encodings.
@propertyWrapper
package struct SortedKeyDictionary<Key, Value>: Sendable, Codable
where Key: Hashable & Sendable & Codable, Value: Sendable & Codable {
  package var wrappedValue: [Key: Value]

  package init(wrappedValue: [Key: Value]) { self.wrappedValue = wrappedValue }

  private struct Pair: Codable {
    var key: Key
    var value: Value
  }

  package init(from decoder: any Decoder) throws {
    let pairs = try [Pair](from: decoder)
    wrappedValue = Dictionary(pairs.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  package func encode(to encoder: any Encoder) throws {
    let named = wrappedValue.map { key, value in
      (name: CanonicalJSON.text(key), pair: Pair(key: key, value: value))
    }
    try named.sorted { $0.name < $1.name }.map(\.pair).encode(to: encoder)
  }
}
