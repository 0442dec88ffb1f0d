internal import TesseraSystem
import TesseraTimeline

/// The identifier of a drawing: a hash of its content, so that equal drawings have one identifier.
package struct DrawingID: Hashable, Sendable {
  /// The identifier as 32 lower-case hexadecimal digits.
  package let text: String

  /// Parses an identifier; returns `nil` unless `text` is 32 lower-case hexadecimal digits.
  package init?(_ text: String) {
    let isName = text.utf8.count == 32 && text.utf8.allSatisfy(Self.digits.contains)
    guard isName else { return nil }
    self.text = text
  }

  /// Creates the identifier of `content`: the first half of its SHA-256.
  init(hashing content: [UInt8]) {
    text = SHA256.digest(content).prefix(16).hexadecimal
  }

  private static let digits = Array("0123456789abcdef".utf8)
}

extension DrawingID: Comparable {
  /// Compares the identifiers as text.
  package static func < (one: DrawingID, other: DrawingID) -> Bool { one.text < other.text }
}

extension DrawingID: TextCodable {
  package static let textForm = "the name of a drawing: 32 hexadecimal digits"

  package var description: String { text }
}
