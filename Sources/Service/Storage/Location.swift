import TesseraTimeline

/// The location of an input or output: a file, an object of a bucket, or an `https` address.
package enum Location: Hashable, Sendable {
  /// A path in the file system.
  case file(String)
  /// An object, or a prefix if the key is empty or ends in a slash.
  case object(bucket: String, key: String)
  /// An `https` address, or an `http` address of a configured endpoint. The address may contain a
  /// signature, so it is never printed in full: see ``description``.
  case web(String)

  /// Parses a location that a user wrote.
  ///
  /// `s3://bucket/key` is literal: a key is not decoded, and `?` and `#` belong to it. Text without
  /// a scheme is a path.
  ///
  /// - Throws: ``LocationError`` if the text is no location.
  package init(_ text: String) throws(LocationError) {
    guard let scheme = Self.scheme(of: text) else {
      self = .file(text)
      return
    }
    let rest = String(text.dropFirst(scheme.utf8.count + 3))
    switch scheme.lowercased() {
    case "s3":
      let bucket = rest.prefix { $0 != "/" }
      guard Self.isBucket(bucket) else { throw .invalidBucket(String(bucket)) }
      self = .object(bucket: String(bucket), key: String(rest.dropFirst(bucket.count + 1)))
    case "https", "http":
      let authority = rest.prefix { !"/?#".contains($0) }
      guard !authority.isEmpty else { throw .noHost(Self.withoutSecrets(text)) }
      guard !authority.contains("@") else { throw .credentialsInAddress }
      self = .web(text)
    case "file":
      guard rest.hasPrefix("/") else { throw .unknownScheme("file with a host") }
      self = .file(rest)
    default:
      throw .unknownScheme(scheme)
    }
  }

  /// Returns the scheme before `://`, or `nil` if there is none (RFC 3986, section 3.1).
  private static func scheme(of text: String) -> String? {
    guard let end = text.firstRange(of: "://")?.lowerBound else { return nil }
    let scheme = text[..<end]
    let isScheme =
      scheme.first?.isLetter == true
      && scheme.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2e: true
        default: false
        }
      }
    return isScheme ? String(scheme) : nil
  }

  /// True if `text` has a scheme that is read over a network: `s3`, `https` or `http`.
  package static func isAddress(_ text: String) -> Bool {
    scheme(of: text).map { ["s3", "https", "http"].contains($0.lowercased()) } ?? false
  }

  /// True if `name` may be a bucket's name: 3 to 63 of `a-z A-Z 0-9 . - _`, which old buckets may
  /// have.
  private static func isBucket(_ name: Substring) -> Bool {
    (3...63).contains(name.utf8.count) && !name.contains("..")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
        default: false
        }
      }
  }

  /// Returns an address without its query and fragment, which may contain signatures.
  static func withoutSecrets(_ address: String) -> String {
    String(address.prefix { $0 != "?" && $0 != "#" })
  }

  /// True if reading the location requires a network.
  package var isRemote: Bool {
    if case .file = self { false } else { true }
  }

  /// The last component of the path; empty for a bucket.
  package var name: String {
    let path =
      switch self {
      case .file(let path): path
      case .object(_, let key): key
      case .web(let address): Self.path(of: address)
      }
    return path.pathParts.last.map(String.init) ?? ""
  }

  private static func path(of address: String) -> String {
    let bare = withoutSecrets(address)
    guard let start = bare.firstRange(of: "://")?.upperBound,
      let slash = bare[start...].firstIndex(of: "/")
    else { return "" }
    return PercentEncoding.decoded(bare[slash...])
  }

  /// Returns the location of the relative `path` below this one, or `nil` if `path` is absolute or
  /// contains `.` or `..`. The names in a recording can therefore only refer to files below the
  /// recording's own prefix.
  package func appending(_ path: String) -> Location? {
    let parts = path.pathParts
    guard !path.isEmpty, !path.isAbsolutePath, Self.scheme(of: path) == nil,
      !parts.contains(where: { $0 == ".." || $0 == "." }), !path.utf8.contains(0)
    else { return nil }
    func joined(_ base: String) -> String {
      base.isEmpty || base.hasSuffix("/") ? base + path : "\(base)/\(path)"
    }
    switch self {
    case .file(let folder): return .file(joined(folder))
    case .object(let bucket, let key): return .object(bucket: bucket, key: joined(key))
    case .web: return nil
    }
  }
}

extension Location: CustomStringConvertible {
  /// The location for messages: an address appears without its query, which may be a secret.
  package var description: String {
    switch self {
    case .file(let path): path
    case .object(let bucket, let key): "s3://\(bucket)/\(key)"
    case .web(let address): Self.withoutSecrets(address)
    }
  }
}

/// The reason why a text is not a location.
package enum LocationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The scheme is not supported.
  case unknownScheme(String)
  /// The name is not a valid bucket name.
  case invalidBucket(String)
  /// The address has no host.
  case noHost(String)
  /// The address contains a user name or password.
  case credentialsInAddress

  package var description: String {
    switch self {
    case .unknownScheme(let scheme):
      "\(scheme):// is not read; give a path, s3://bucket/key, or an https:// address."
    case .invalidBucket(let name):
      "\"\(name)\" is not the name of a bucket; write s3://bucket/key, with 3 to 63 letters, digits, "
        + "dots and dashes in the bucket's name."
    case .noHost(let address):
      "\(address) has no host; write https://host/path."
    case .credentialsInAddress:
      "an address may not hold a name or a password; give credentials by the environment."
    }
  }
}
