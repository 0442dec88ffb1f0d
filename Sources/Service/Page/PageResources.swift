import Foundation
import TesseraSystem

/// The HTML, style and script of a page, which do not depend on the call.
struct PageResources {
  let style = String(decoding: PackageResources.page_css, as: UTF8.self)
  let script: String
  private let frame: String

  private init(_ frame: [UInt8], _ script: [UInt8]) {
    self.frame = String(decoding: frame, as: UTF8.self)
    self.script = String(decoding: script, as: UTF8.self)
  }

  /// The resources of a call's page.
  static var call: PageResources {
    PageResources(
      PackageResources.page_html, PackageResources.strikes_js + PackageResources.page_js)
  }

  /// The resources of the list of calls.
  static var index: PageResources {
    PageResources(PackageResources.index_html, PackageResources.index_js)
  }

  /// Replaces each `{{name}}` in the HTML with its value. Values are not searched for placeholders.
  func document(_ values: [String: String]) -> String {
    var result = ""
    var rest = frame[...]
    while let begin = rest.range(of: "{{"), let end = rest[begin.upperBound...].range(of: "}}") {
      result += rest[..<begin.lowerBound]
      result += values[String(rest[begin.upperBound..<end.lowerBound])] ?? ""
      rest = rest[end.upperBound...]
    }
    return result + rest
  }

  /// Returns the Content-Security-Policy of a page that plays the output at `address`.
  ///
  /// Permits the page's own script and style by their hashes, and media and images from the page's
  /// folder or the output's host.
  func policy(for address: String = "") -> String {
    // `'self'` does not include files for a page opened from disk.
    let sources = (["'self'", "file:"] + [PageAddressRules.origin(of: address)].compactMap { $0 })
      .joined(separator: " ")
    return [
      "default-src 'none'", "script-src \(hash(script))", "style-src \(hash(style))",
      "img-src \(sources) data:", "media-src \(sources)", "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")
  }

  private func hash(_ text: String) -> String {
    "'sha256-\(Data(SHA256.digest(Array(text.utf8))).base64EncodedString())'"
  }
}
