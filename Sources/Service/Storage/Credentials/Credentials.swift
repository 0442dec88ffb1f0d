/// The access keys that requests are signed with.
package struct Credentials: Hashable, Sendable {
  /// The access key ID.
  package var identifier: String
  /// The secret access key. It never appears in text or in descriptions.
  var secret: String
  /// The session token; `nil` for long-term keys.
  var token: String?
  /// The expiration time in seconds since 1970; `nil` if the credentials do not expire.
  var expiration: Int?
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A fixed text that reveals nothing of the keys.
  package var description: String { "credentials" }
  /// A fixed text that reveals nothing of the keys.
  package var debugDescription: String { "credentials" }
  /// An empty mirror that reveals nothing of the keys.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
