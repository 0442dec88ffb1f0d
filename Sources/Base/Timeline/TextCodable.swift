/// A value that is stored as the text that describes it.
public protocol TextCodable: LosslessStringConvertible, Codable {
  /// What the text is, for the error where it is not: `a frame rate`.
  static var textForm: String { get }
}

extension TextCodable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not \(Self.textForm)")
    }
    self = value
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
