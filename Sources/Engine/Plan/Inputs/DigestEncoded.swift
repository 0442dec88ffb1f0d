/// A value that is encoded as its digest. The digest is computed once, however often the value is
/// encoded, and changes whenever the value changes.
package struct DigestEncoded<Value: Encodable & Sendable>: Sendable, Encodable {
  package let value: Value
  private let digest: String

  /// Wraps `value` and computes its digest.
  package init(_ value: Value) { (self.value, digest) = (value, ContentDigester.of(value)) }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(digest)
  }
}
