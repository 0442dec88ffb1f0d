/// A value that is encoded as its digest, which is made once however often it is encoded: whatever
/// changes the one changes the other.
package struct Digested<Value: Encodable & Sendable>: Sendable, Encodable {
  /// The value.
  package let value: Value
  private let digest: String

  /// `value`, of which a digest is made.
  package init(_ value: Value) { (self.value, digest) = (value, ContentDigest.of(value)) }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(digest)
  }
}
