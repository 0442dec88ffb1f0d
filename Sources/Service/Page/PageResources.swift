import Foundation
import TesseraSystem

/// A page's own HTML, style and script, which are the same for every call.
struct PageResources {
  let style = String(decoding: PackageResources.page_css, as: UTF8.self)
  let script: String
  private let frame: String

  private init(_ frame: [UInt8], _ script: [UInt8]) {
    self.frame = String(decoding: frame, as: UTF8.self)
    self.script = String(decoding: script, as: UTF8.self)
  }

  /// Those of the page of a call.
  static var call: PageResources {
    PageResources(
      PackageResources.page_html, PackageResources.strikes_js + PackageResources.page_js)
  }

  /// Those of the page that lists calls.
  static var index: PageResources {
    PageResources(PackageResources.index_html, PackageResources.index_js)
  }

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
  func policy(for address: String = "") -> String {
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
