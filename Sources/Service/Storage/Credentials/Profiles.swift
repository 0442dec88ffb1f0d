import Foundation
import TesseraSystem
import TesseraTimeline

/// The shared files of profiles, `~/.aws/credentials` and `~/.aws/config`, as the AWS command line reads them ("Configuration and
/// credential file settings" in its user guide).
package struct Profiles {
  /// The chosen profile's name.
  let name: String
  /// The values of each section, by its title without blanks at its ends: `profile NAME`, `services NAME`. A value that is
  /// indented below another one has both names, `s3.endpoint_url`.
  private let sections: [String: [String: String]]

  /// Reads the files that `environment` names, or those in the home folder. Values in the file of credentials come first.
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

  /// The values of a profile; `nil` if there is none of that name.
  func profile(_ name: String) -> [String: String]? { sections["profile \(name)"] }

  /// The address of a service in the section that the chosen profile names as its `services`.
  func endpoint(of service: String) -> String? {
    values["services"].flatMap { sections["services \($0)"]?["\(service).endpoint_url"] }
  }

  /// The sections of a file.
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
