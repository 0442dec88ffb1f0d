/// An `http` or `https` address, split into parts that stay percent-encoded.
struct WebAddress: Hashable {
  /// The scheme: `https` or `http`.
  let scheme: String
  /// The host in lower case, with the port if one is given.
  let host: String
  /// The path, which begins with a slash, and the query.
  let target: String

  /// Parses an address; `nil` if `text` has another scheme, names a user, or contains invalid
  /// characters.
  init?(_ text: String) {
    guard let colon = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<colon.lowerBound].lowercased()
    let rest = text[colon.upperBound...]
    let host = rest.prefix { !"/?#".contains($0) }
    guard ["http", "https"].contains(scheme), !host.isEmpty, !host.contains("@"),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != 0x5c })
    else { return nil }
    let path = rest.dropFirst(host.count).prefix { $0 != "#" }
    (self.scheme, self.host) = (scheme, host.lowercased())
    target = path.hasPrefix("/") ? String(path) : "/" + path
  }

  /// The scheme, host and port.
  var origin: String { "\(scheme)://\(host)" }

  /// The full address.
  var text: String { origin + target }

  /// The address without its query, which may be a secret.
  var publicText: String { Location.withoutSecrets(text) }

  /// The host without its port and without the brackets of an IPv6 address.
  var hostName: String {
    if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
    return String(host.prefix { $0 != ":" })
  }

  /// Returns the target of a redirect with the `Location` header `location` (RFC 9110, section
  /// 10.2.2).
  func redirected(to location: String) -> WebAddress? {
    if location.firstRange(of: "://") != nil { return WebAddress(location) }
    if location.hasPrefix("//") { return WebAddress("\(scheme):\(location)") }
    if location.hasPrefix("/") { return WebAddress(origin + location) }
    let path = target.prefix { $0 != "?" }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return WebAddress("\(origin)\(folder)\(location)")
  }
}
