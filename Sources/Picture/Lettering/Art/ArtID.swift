internal import TesseraSystem
import TesseraTimeline

/// The name of something drawn: a hash of its content, so equal drawings have one name.
package struct ArtID: Hashable, Sendable {
  /// 32 hexadecimal digits, in lower case.
  package let text: String

  /// The name written as `text`; nil for anything but 32 hexadecimal digits in lower case.
  package init?(_ text: String) {
    let isName = text.utf8.count == 32 && text.utf8.allSatisfy(Self.digits.contains)
    guard isName else { return nil }
    self.text = text
  }

  /// The name of content: the first half of its SHA-256.
  init(hashing content: [UInt8]) {
    let half = SHA256.digest(content).prefix(16)
    text = String(
      decoding: half.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  private static let digits = Array("0123456789abcdef".utf8)
}

extension ArtID: Comparable {
  /// The order of the names as text.
  package static func < (one: ArtID, other: ArtID) -> Bool { one.text < other.text }
}

extension ArtID: TextCodable {
  package static let textForm = "the name of a drawing: 32 hexadecimal digits"

  package var description: String { text }
}
