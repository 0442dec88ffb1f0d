import TesseraMessages
import TesseraSystem

/// A chain of credential providers, with a cache of the credentials in use.
final class CredentialChain: Sendable {
  private let providers: [any CredentialProvider]
  private let held = ConditionLock<Credentials?>(nil)
  /// The seconds before expiration at which credentials are renewed.
  private static let margin = 300

  init(_ providers: [any CredentialProvider]) { self.providers = providers }

  /// Returns credentials that do not expire soon.
  ///
  /// - Throws: ``StorageError`` if no provider has credentials.
  func current() throws(StorageError) -> Credentials {
    try held.withLock { held throws(StorageError) in
      if let held, !held.endsSoon(Self.margin) { return held }
      let fresh: Credentials
      do throws(StorageError) { fresh = try fetched() } catch {
        // Credentials that have not expired yet are better than none.
        if let held, !held.endsSoon(0) { return held }
        throw error
      }
      held = fresh
      return fresh
    }
  }

  /// Fetches credentials again after a server reported them as expired. Returns `false` if the
  /// provider returned the same credentials.
  func refresh() throws(StorageError) -> Bool {
    try held.withLock { held throws(StorageError) in
      let fresh = try fetched()
      defer { held = fresh }
      return fresh != held
    }
  }

  private func fetched() throws(StorageError) -> Credentials {
    for provider in providers {
      if let credentials = try provider.credentials() { return credentials }
    }
    throw StorageError(
      .failure,
      "there are no credentials for buckets: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or "
        + "AWS_PROFILE.")
  }
}

/// A source of credentials, such as the environment, a profile or a metadata service.
protocol CredentialProvider: Sendable {
  /// Returns the credentials, or `nil` if this source is not configured.
  func credentials() throws(StorageError) -> Credentials?
}

extension Credentials {
  /// True if the credentials expire within `margin` seconds.
  func endsSoon(_ margin: Int) -> Bool {
    expiration.map { $0 < AWSDate.now + margin } ?? false
  }
}

/// Reads credentials from `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
struct EnvironmentCredentialProvider: CredentialProvider {
  let environment: [String: String]

  func credentials() throws(StorageError) -> Credentials? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let identifier = value("AWS_ACCESS_KEY_ID") else { return nil }
    guard let secret = value("AWS_SECRET_ACCESS_KEY") else {
      throw StorageError(
        .usage, "AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY; set both.")
    }
    return Credentials(
      identifier: identifier, secret: secret, token: value("AWS_SESSION_TOKEN"))
  }
}
