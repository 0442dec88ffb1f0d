import TesseraSystem

/// Where credentials come from, and the ones that are good now.
final class CredentialSource: Sendable {
  private let providers: [any CredentialProvider]
  private let held = Monitor<Credentials?>(nil)
  /// How long before they end they are fetched again, in seconds.
  private static let margin = 300

  init(_ providers: [any CredentialProvider]) { self.providers = providers }

  /// Credentials that do not end soon.
  ///
  /// - Throws: where nobody has any.
  func current() throws(StorageError) -> Credentials {
    try held.withLock { held throws(StorageError) in
      if let held, !held.endsSoon(Self.margin) { return held }
      let fresh: Credentials
      do throws(StorageError) { fresh = try fetched() } catch {
        // What has not ended yet is better than nothing.
        if let held, !held.endsSoon(0) { return held }
        throw error
      }
      held = fresh
      return fresh
    }
  }

  /// Fetches credentials again, as a server says that they have ended; false where the same ones
  /// came back.
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

/// One place that may have credentials.
protocol CredentialProvider: Sendable {
  /// nil where this place is not set up.
  func credentials() throws(StorageError) -> Credentials?
}

extension Credentials {
  /// Whether they end within that many seconds.
  func endsSoon(_ margin: Int) -> Bool {
    expiration.map { $0 < ServiceDate.now + margin } ?? false
  }
}

/// The variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
struct EnvironmentCredentials: CredentialProvider {
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
