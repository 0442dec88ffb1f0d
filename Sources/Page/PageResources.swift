import Foundation
import TesseraSystem

/// The page's own HTML, style and script, which are the same for every call.
struct PageResources {
  let style = String(decoding: PackageResources.page_css, as: UTF8.self)
  let script = String(decoding: PackageResources.page_js, as: UTF8.self)
  private let frame = String(decoding: PackageResources.page_html, as: UTF8.self)

  /// The page with `values` in the places of their names; what stands in a value is not a place.
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

  /// The Content-Security-Policy of a page that plays the output at `address`: its own script and
  /// style by their hashes, media and pictures from beside it or from the output's host.
  func policy(for address: String) -> String {
    // A page on disk has no host that 'self' could mean.
    let sources = (["'self'", "file:"] + [PageAddress.origin(of: address)].compactMap { $0 })
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
