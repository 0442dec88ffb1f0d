import TesseraSystem

/// Computes digests of encodable values. Equal values have equal digests, so that finished pieces
/// can be reused.
package enum ContentDigester {
  /// Returns the SHA-256 of everything that `value` encodes, as 64 hexadecimal digits.
  package static func of(_ value: some Encodable) -> String {
    let bytes = CanonicalBytes(isHashed: true)
    bytes.append(value)
    return bytes.digest
  }
}

/// A canonical serialization of values: equal values give equal bytes, different values different
/// bytes.
///
/// A number, a text and a structure begin with a byte for their kind. A structure ends with an end
/// mark, and each of its fields is preceded by the field's name. Dictionaries are sorted by the
/// bytes of their keys.
package final class CanonicalBytes {
  package private(set) var bytes: [UInt8] = []
  private let hash: SHA256?

  /// Number of bytes that are buffered before they are hashed.
  private static let blockLength = 1 << 16

  fileprivate enum TypeTag: UInt8 {
    case end, structure, dictionary, name, integer, large, double, text, bytes, yes, no, none,
      failure
  }

  /// Creates an empty serialization. If `isHashed` is true, bytes are hashed as they come and not
  /// kept.
  package init(isHashed: Bool = false) { hash = isHashed ? SHA256() : nil }

  /// The SHA-256 of everything that was appended, as 64 hexadecimal digits. Nothing may be appended
  /// after the digest was read.
  package var digest: String {
    let hash = hash ?? SHA256()
    hash.update(bytes)
    return hash.finish().hexadecimal
  }

  package func append<Value: Encodable>(_ value: Value) {
    if let value = value as? any CanonicalValue {
      value.append(to: self)
    } else {
      mark(.structure)
      do {
        try value.encode(to: CanonicalEncoder(bytes: self))
      } catch {
        // Plain values do not fail to encode. A value that does never gets the digest of another
        // one.
        mark(.failure)
        append(.text, "\(error)".utf8)
      }
      mark(.end)
    }
    guard bytes.count >= Self.blockLength, hash != nil else { return }
    hash?.update(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  fileprivate func append(number value: Double) {
    mark(.double)
    append(word: value.bitPattern)
  }

  fileprivate func append(integer value: some BinaryInteger) {
    if let small = Int(exactly: value) {
      mark(.integer)
      append(word: UInt64(bitPattern: Int64(small)))
    } else {
      mark(.large)
      append(word: UInt64(truncatingIfNeeded: value))
    }
  }

  fileprivate func append(elements: [some Encodable]) {
    mark(.structure)
    // Most long arrays are the frame and packet numbers of a track: skip the generic encoding.
    if let numbers = elements as? [Int] {
      for number in numbers { append(integer: number) }
    } else {
      for element in elements { append(element) }
    }
    mark(.end)
  }

  /// Appends the name of the field that follows.
  fileprivate func append(name: String) { append(.name, name.utf8) }

  /// Appends a dictionary, sorted by the bytes of its keys.
  fileprivate func append(pairs: some Sequence<(some Encodable, some Encodable)>) {
    mark(.dictionary)
    let pairs = pairs.map { key, value in
      let bytes = CanonicalBytes()
      bytes.append(key)
      return (key: bytes.bytes, value: value)
    }
    for pair in pairs.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      bytes += pair.key
      append(pair.value)
    }
    mark(.end)
  }

  fileprivate func mark(_ mark: TypeTag) { bytes.append(mark.rawValue) }

  fileprivate func append(_ kind: TypeTag, _ content: some Collection<UInt8>) {
    mark(kind)
    append(word: UInt64(content.count))
    bytes += content
  }

  /// Appends 8 bytes, the lowest first.
  private func append(word: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}

/// A value with a canonical form of its own, instead of the one of its fields.
private protocol CanonicalValue {
  func append(to bytes: CanonicalBytes)
}

extension Bool: CanonicalValue {
  fileprivate func append(to bytes: CanonicalBytes) { bytes.mark(self ? .yes : .no) }
}

extension String: CanonicalValue {
  fileprivate func append(to bytes: CanonicalBytes) { bytes.append(.text, utf8) }
}

extension Double: CanonicalValue {
  fileprivate func append(to bytes: CanonicalBytes) { bytes.append(number: self) }
}

extension Float: CanonicalValue {
  fileprivate func append(to bytes: CanonicalBytes) { bytes.append(number: Double(self)) }
}

extension StoredBlob: CanonicalValue {
  fileprivate func append(to bytes: CanonicalBytes) { bytes.append(.bytes, self.bytes) }
}

extension CanonicalValue where Self: BinaryInteger {
  fileprivate func append(to bytes: CanonicalBytes) { bytes.append(integer: self) }
}

extension Int: CanonicalValue {}
extension Int8: CanonicalValue {}
extension Int16: CanonicalValue {}
extension Int32: CanonicalValue {}
extension Int64: CanonicalValue {}
extension UInt: CanonicalValue {}
extension UInt8: CanonicalValue {}
extension UInt16: CanonicalValue {}
extension UInt32: CanonicalValue {}
extension UInt64: CanonicalValue {}

extension Array: CanonicalValue where Element: Encodable {
  fileprivate func append(to bytes: CanonicalBytes) { bytes.append(elements: self) }
}

// Dictionaries have no order of their own.

extension Dictionary: CanonicalValue where Key: Encodable, Value: Encodable {
  fileprivate func append(to bytes: CanonicalBytes) {
    bytes.append(pairs: map { ($0.key, $0.value) })
  }
}

extension SortedKeyDictionary: CanonicalValue {
  fileprivate func append(to bytes: CanonicalBytes) { wrappedValue.append(to: bytes) }
}

extension Set: CanonicalValue where Element: Encodable {
  fileprivate func append(to bytes: CanonicalBytes) { bytes.append(pairs: map { ($0, true) }) }
}

/// An encoder that appends the fields of a value to ``CanonicalBytes``.
private struct CanonicalEncoder: Encoder {
  let bytes: CanonicalBytes
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedContainer<Key>(bytes: bytes))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedContainer(bytes: bytes) }

  func singleValueContainer() -> any SingleValueEncodingContainer { UnkeyedContainer(bytes: bytes) }

  private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let bytes: CanonicalBytes
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
      bytes.append(name: key.stringValue)
      bytes.mark(.none)
    }

    func encode(_ value: some Encodable, forKey key: Key) {
      bytes.append(name: key.stringValue)
      bytes.append(value)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      bytes.append(name: key.stringValue)
      bytes.mark(.structure)
      return KeyedEncodingContainer(KeyedContainer<Nested>(bytes: bytes))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      bytes.append(name: key.stringValue)
      bytes.mark(.structure)
      return UnkeyedContainer(bytes: bytes)
    }

    func superEncoder() -> any Encoder { CanonicalEncoder(bytes: bytes) }

    func superEncoder(forKey key: Key) -> any Encoder {
      bytes.append(name: key.stringValue)
      return CanonicalEncoder(bytes: bytes)
    }
  }

  private struct UnkeyedContainer: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    let bytes: CanonicalBytes
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() {
      count += 1
      bytes.mark(.none)
    }

    mutating func encode(_ value: some Encodable) {
      count += 1
      bytes.append(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy keyType: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      count += 1
      bytes.mark(.structure)
      return KeyedEncodingContainer(KeyedContainer<Nested>(bytes: bytes))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      count += 1
      bytes.mark(.structure)
      return UnkeyedContainer(bytes: bytes)
    }

    func superEncoder() -> any Encoder { CanonicalEncoder(bytes: bytes) }
  }
}

/// A stored value that digests leave out, because no pixel or sample depends on it.
@propertyWrapper
package struct ExcludedFromDigest<Value: Sendable>: Sendable, Encodable {
  package var wrappedValue: Value

  /// Creates a value that is never encoded.
  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package func encode(to encoder: any Encoder) {}
}
