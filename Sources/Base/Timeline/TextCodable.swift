/// A value that is encoded as its text description.
public protocol TextCodable: LosslessStringConvertible, Codable {
  /// A description of the expected text for error messages, such as `a frame rate`.
  static var textForm: String { get }
}

extension TextCodable {
  /// Decodes the value from its text; throws `DecodingError` if the text is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not \(Self.textForm)")
    }
    self = value
  }

  /// Encodes ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
