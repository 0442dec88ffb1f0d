import Foundation
import Glibc
import TesseraMessages
import TesseraSystem

/// Reads the credentials of the chosen profile: its keys, the output of its `credential_process`,
/// or a role assumed with the keys of its `source_profile`.
struct ProfileCredentialProvider: CredentialProvider {
  let profiles: AWSProfiles
  let environment: [String: String]
  let region: String
  let client: HTTPClient

  func credentials() throws(StorageError) -> Credentials? { try credentials(of: profiles.name, []) }

  /// Returns the credentials of the profile `name`. `before` lists the profiles that led to it by
  /// `source_profile`, to detect cycles.
  private func credentials(
    of name: String, _ before: [String]
  ) throws(StorageError) -> Credentials? {
    guard let values = profiles.profile(name) else {
      if name == "default", before.isEmpty { return nil }
      throw StorageError(
        .usage, "the profile \(name) is not in the files of credentials; check AWS_PROFILE.")
    }
    guard !before.contains(name) else {
      throw StorageError(.usage, "the profile \(name) is its own source_profile; name another one.")
    }
    if let role = values["role_arn"] {
      return try assume(role, name, values, before)
    }
    if let keys = Self.keys(values) { return keys }
    if let command = values["credential_process"] {
      return try CredentialProcess(command: command, environment: environment).credentials(name)
    }
    if let session = values["sso_session"] ?? values["sso_start_url"] {
      throw StorageError(
        .usage,
        "the profile \(name) signs in at \(session), which Tessera cannot; set the variables that \"aws "
          + "configure export-credentials --profile \(name) --format env\" prints.")
    }
    let unknown = values.keys.filter { !Self.known.contains($0) && !$0.contains(".") }.sorted()
    guard unknown.isEmpty else { throw Self.unknown(unknown, name) }
    return nil
  }

  /// The keys of a profile that have no effect on credentials.
  private static let known: Set = [
    "region", "output", "endpoint_url", "services", "s3", "max_attempts", "retry_mode", "ca_bundle",
    "cli_pager", "cli_timestamp_format", "sts_regional_endpoints", "use_dualstack_endpoint",
    "use_fips_endpoint", "defaults_mode", "request_checksum_calculation",
    "response_checksum_validation",
  ]

  private static func unknown(_ keys: [String], _ name: String) -> StorageError {
    StorageError(
      .usage,
      "the profile \(name) has \(keys.joined(separator: ", ")), which Tessera does not understand; it "
        + "reads keys, credential_process, and role_arn with source_profile.")
  }

  private static func keys(_ values: [String: String]) -> Credentials? {
    guard let identifier = values["aws_access_key_id"], let secret = values["aws_secret_access_key"]
    else { return nil }
    return Credentials(identifier: identifier, secret: secret, token: values["aws_session_token"])
  }

  /// Assumes `role` with the credentials of the source profile (STS `AssumeRole`).
  private func assume(
    _ role: String, _ name: String, _ values: [String: String], _ before: [String]
  ) throws(StorageError) -> Credentials? {
    if let file = values["web_identity_token_file"] {
      var web = environment
      (web["AWS_WEB_IDENTITY_TOKEN_FILE"], web["AWS_ROLE_ARN"]) = (file, role)
      return try WebIdentityCredentialProvider(environment: web, region: region, client: client)
        .credentials()
    }
    let unknown = ["credential_source", "mfa_serial"].filter { values[$0] != nil }
    guard unknown.isEmpty else { throw Self.unknown(unknown, name) }
    guard let source = values["source_profile"] else {
      throw StorageError(.usage, "the profile \(name) has a role_arn without a source_profile.")
    }
    let keys =
      source == name ? Self.keys(values) : try credentials(of: source, before + [name])
    guard let keys else {
      throw StorageError(
        .usage, "the profile \(source), the source_profile of \(name), has no credentials.")
    }
    let more = [("ExternalId", "external_id"), ("DurationSeconds", "duration_seconds")]
    let service = try STSClient(environment, values["region"] ?? region, client)
    return try service.credentials(
      "AssumeRole", role: role, session: values["role_session_name"],
      more.compactMap { key, value in values[value].map { (key, $0) } }, signedWith: keys)
  }
}

/// A program that prints credentials (`credential_process`).
private struct CredentialProcess {
  let command: String
  let environment: [String: String]

  /// Runs the program of the profile `name`, without a shell.
  func credentials(_ name: String) throws(StorageError) -> Credentials {
    let words = Self.words(command)
    guard let program = words.first else {
      throw StorageError(.usage, "the credential_process of the profile \(name) is empty.")
    }
    let (bytes, end): ([UInt8], ChildProcess.Termination)
    do throws(SystemError) {
      (bytes, end) = try output(words)
    } catch {
      throw StorageError(
        .failure, "the credential_process of the profile \(name) cannot be run: \(error).")
    }
    guard end == .exit(0) else {
      throw StorageError(
        .failure,
        "the credential_process of the profile \(name), \(program), fails; run it by hand to see why."
      )
    }
    return try IssuedCredentials.read(
      bytes, from: "the credential_process of the profile \(name)")
  }

  private func output(
    _ words: [String]
  ) throws(SystemError) -> ([UInt8], ChildProcess.Termination) {
    let (process, reading) = try ChildProcess.piped(
      words, environment: environment, withErrors: false)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 64 << 10 {
      let count = unsafe read(reading.number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    withExtendedLifetime(reading) {}
    return (bytes, process.wait())
  }

  /// Splits a command into words. Quotation marks protect blanks.
  private static func words(_ text: String) -> [String] {
    var (words, word, mark) = ([String](), String?.none, Character?.none)
    for letter in text {
      if letter == mark {
        mark = nil
      } else if mark == nil, letter == "\"" || letter == "'" {
        (mark, word) = (letter, word ?? "")
      } else if mark == nil, letter.isWhitespace {
        if let ended = word { words.append(ended) }
        word = nil
      } else {
        word = (word ?? "") + String(letter)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
