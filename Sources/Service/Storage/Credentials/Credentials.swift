/// The identity that requests are signed with.
package struct Credentials: Hashable, Sendable {
  /// The access key's identifier.
  package var identifier: String
  /// The secret key; in no text that is written down.
  var secret: String
  /// The session's token; nil for keys that do not end.
  var token: String?
  /// When they end, in seconds since 1970; nil where they do not.
  var expiration: Int?

  /// The keys, for this process only.
  package init(identifier: String, secret: String, token: String? = nil, expiration: Int? = nil) {
    (self.identifier, self.secret, self.token) = (identifier, secret, token)
    self.expiration = expiration
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Nothing of the keys.
  package var description: String { "credentials" }
  /// Nothing of the keys.
  package var debugDescription: String { "credentials" }
  /// Nothing of the keys.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
