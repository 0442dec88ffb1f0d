import Foundation
import TesseraSystem
import TesseraTimeline

/// The shared profile files `~/.aws/credentials` and `~/.aws/config`, read as the AWS command line
/// reads them ("Configuration and credential file settings" in its user guide).
package struct AWSProfiles {
  /// The name of the chosen profile.
  let name: String
  /// The values of each section. Keys are titles without blanks at their ends: `profile NAME`,
  /// `services NAME`. A value indented below another value has both names: `s3.endpoint_url`.
  private let sections: [String: [String: String]]

  /// Reads the files that `environment` names, or the files in the home folder. Values in the
  /// credentials file take precedence.
  init(_ environment: [String: String]) {
    let home = environment["HOME"] ?? ""
    name = environment["AWS_PROFILE"] ?? environment["AWS_DEFAULT_PROFILE"] ?? "default"
    let files = [
      environment["AWS_CONFIG_FILE"] ?? "\(home)/.aws/config",
      environment["AWS_SHARED_CREDENTIALS_FILE"] ?? "\(home)/.aws/credentials",
    ]
    sections = files.reduce(into: [:]) { sections, file in
      let bytes = (try? RegularFile.bytes(file, atMost: 1 << 20)) ?? []
      let text = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
      sections.merge(Self.sections(of: text)) { $0.merging($1) { $1 } }
    }
  }

  /// The values of the chosen profile.
  var values: [String: String] { profile(name) ?? [:] }

  /// Returns the values of the profile `name`, or `nil` if there is no such profile.
  func profile(_ name: String) -> [String: String]? { sections["profile \(name)"] }

  /// Returns the endpoint URL of `service` from the `services` section of the chosen profile.
  func endpoint(of service: String) -> String? {
    values["services"].flatMap { sections["services \($0)"]?["\(service).endpoint_url"] }
  }

  /// Parses the sections of a profile file.
  package static func sections(of text: String) -> [String: [String: String]] {
    var sections: [String: [String: String]] = [:]
    var (title, outer) = (String?.none, "")
    for line in text.split(whereSeparator: \.isNewline) {
      let bare = line.trimmingCharacters(in: .whitespaces)
      if bare.hasPrefix("[") {
        let words = bare.dropFirst().prefix { $0 != "]" }.split(separator: " ").map(String.init)
        title = words.count == 1 ? "profile \(words[0])" : words.joined(separator: " ")
        outer = ""
      } else if let title, !bare.hasPrefix("#"), !bare.hasPrefix(";"),
        let sign = bare.firstIndex(of: "=")
      {
        let isInner = line.first?.isWhitespace == true
        let key = bare[..<sign].trimmingCharacters(in: .whitespaces)
        if !isInner { outer = key }
        sections[title, default: [:]][isInner ? "\(outer).\(key)" : key] =
          bare[bare.index(after: sign)...].trimmingCharacters(in: .whitespaces)
      }
    }
    return sections
  }
}
