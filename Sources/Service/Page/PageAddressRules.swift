import Foundation

/// Rules for the addresses in a page.
enum PageAddressRules {
  /// True if `text` is a relative address or an `http` or `https` URL without user name and
  /// password.
  static func isAllowed(_ text: String) -> Bool {
    guard !text.isEmpty, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == 0x5c })
    else { return false }
    if let origin = origin(of: text) { return !origin.contains("@") && origin.count > 8 }
    let first = text.prefix { $0 != "/" }
    return !text.hasPrefix("/") && !first.contains(":")
  }

  /// Returns the scheme and host of an `http` or `https` URL; `nil` for other addresses.
  static func origin(of text: String) -> String? {
    for scheme in ["https://", "http://"] where text.lowercased().hasPrefix(scheme) {
      let host = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
      return scheme + host
    }
    return nil
  }

  /// Returns the path of the file `output` relative to the folder of the file `page`.
  static func path(of output: String, from page: String) -> String {
    func parts(_ path: String) -> [String] {
      URL(fileURLWithPath: path).standardizedFileURL.pathComponents
    }
    let (target, folder) = (parts(output), parts(page).dropLast())
    let common = zip(target, folder).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: folder.count - common)
    return (up + target.dropFirst(common)).joined(separator: "/")
  }

  /// Returns the relative address of a path: letters, digits and `-._~/` stay, other bytes are
  /// percent-encoded.
  static func address(ofPath path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x2f, 0x5f, 0x7e:
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (byte < 16 ? "0" : "") + digits
      }
    }
    return text
  }
}
