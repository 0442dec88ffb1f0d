import Foundation
import TesseraSystem
import TesseraTimeline

/// The shared files of profiles, `~/.aws/credentials` and `~/.aws/config`.
package struct Profiles: CredentialProvider {
  /// The values of the chosen profile; those of the file of credentials come first.
  let values: [String: String]
  private let name: String
  private let isChosen: Bool

  /// Reads the files that `environment` names, or those in the home folder.
  init(_ environment: [String: String]) {
    let home = environment["HOME"] ?? ""
    name = environment["AWS_PROFILE"] ?? environment["AWS_DEFAULT_PROFILE"] ?? "default"
    isChosen = name != "default"
    let files = [
      environment["AWS_CONFIG_FILE"] ?? "\(home)/.aws/config",
      environment["AWS_SHARED_CREDENTIALS_FILE"] ?? "\(home)/.aws/credentials",
    ]
    var values: [String: String] = [:]
    for file in files {
      let bytes = (try? RegularFile.bytes(file, atMost: 1 << 20)) ?? []
      let text = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
      values.merge(Self.section(name, of: text)) { $1 }
    }
    self.values = values
  }

  /// The values of a profile's section.
  package static func section(_ name: String, of text: String) -> [String: String] {
    var values: [String: String] = [:]
    var isInside = false
    for line in text.split(whereSeparator: \.isNewline) {
      let bare = line.trimmingCharacters(in: .whitespaces)
      if bare.hasPrefix("[") {
        let title = bare.dropFirst().prefix { $0 != "]" }.trimmingCharacters(in: .whitespaces)
        isInside =
          title == name || title.split(separator: " ").map(String.init) == ["profile", name]
      } else if isInside, !bare.hasPrefix("#"), !bare.hasPrefix(";"),
        let sign = bare.firstIndex(of: "="), line.first?.isWhitespace == false
      {
        let value = bare[bare.index(after: sign)...].trimmingCharacters(in: .whitespaces)
        values[bare[..<sign].trimmingCharacters(in: .whitespaces)] = value
      }
    }
    return values
  }

  func credentials() throws(StorageError) -> Credentials? {
    if let identifier = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] {
      return Credentials(
        identifier: identifier, secret: secret, token: values["aws_session_token"])
    }
    guard isChosen, values.isEmpty else { return nil }
    throw StorageError(
      .usage, "the profile \(name) is not in the files of credentials; check AWS_PROFILE.")
  }
}
