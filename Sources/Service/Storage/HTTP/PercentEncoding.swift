/// Percent-encoding of text in addresses (RFC 3986).
enum PercentEncoding {
  /// Returns `text` with everything escaped except letters, digits and `-._~`. Slashes are escaped
  /// unless `keepsSlashes` is `true`.
  static func encoded(_ text: some StringProtocol, keepsSlashes: Bool = false) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: bytes.append(byte)
      case 0x2f where keepsSlashes: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns `text` with its escapes decoded. Invalid escapes stay as they are.
  static func decoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x25, rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
}
