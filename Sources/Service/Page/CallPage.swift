import TesseraJobs
import TesseraPlan
package import TesseraRendering
package import TesseraRequest
package import TesseraSystem
import TesseraTimeline

/// A page that plays a composed call and shows who was there, who spoke and what was said: one HTML
/// file that needs no network and no server.
///
/// All text from recordings is data: it stands in JSON and is set as text, under a
/// Content-Security-Policy that lets no other script and style run than the page's own.
package struct CallPage {
  /// What the page plays.
  package struct Media: Hashable, Sendable {
    /// Its address: relative to the page, or `http` or `https`.
    package var address: String
    /// Whether it has pictures.
    package var hasPictures: Bool

    /// The output at `address`.
    ///
    /// - Throws: ``PageError`` where that is not an address for a page.
    package init(_ address: String, hasPictures: Bool) throws(PageError) {
      guard PageAddress.isAllowed(address) else { throw .address(address) }
      (self.address, self.hasPictures) = (address, hasPictures)
    }

    /// The output at the path `output`, for a page at the path `page`: the address is relative.
    ///
    /// - Throws: ``PageError`` where both have no folder in common.
    package init(
      output: String, page: String, hasPictures: Bool
    ) throws(PageError) {
      let path = PageAddress.path(of: output, from: page)
      try self.init(PageAddress.address(ofPath: path), hasPictures: hasPictures)
    }
  }

  /// Small pictures of the output, which show where the pointer leads to.
  package struct Pictures: Hashable, Sendable {
    /// Their file's address, relative to the page.
    package var address: String
    /// Where and when they are.
    package var thumbnails: Thumbnails

    /// `thumbnails` in the file at the path `file`, for a page at the path `page`.
    package init(_ thumbnails: Thumbnails, file: String, page: String) {
      self.thumbnails = thumbnails
      address = PageAddress.address(ofPath: PageAddress.path(of: file, from: page))
    }
  }

  /// Another output of the same call, which the page leads to.
  package struct Other: Hashable, Sendable {
    var name, address, facts: String

    /// The output that `report` describes, for a page at the path `page`.
    ///
    /// - Throws: ``PageError`` where both have no folder in common.
    package init(_ report: RenderReport, page: String) throws(PageError) {
      let path = PageAddress.path(of: report.output, from: page)
      address = PageAddress.address(ofPath: path)
      guard PageAddress.isAllowed(address) else { throw .address(address) }
      name = path.split(separator: "/").last.map(String.init) ?? path
      let size = report.call.flatMap { call in
        call.width.flatMap { width in call.height.map { "\(width)x\($0)" } }
      }
      let length = MediaTime(seconds: Int(saturating: report.duration.rounded())).clock
      let bytes =
        report.byteCount >= 1_000_000
        ? "\(report.byteCount / 1_000_000) MB" : "\(max(1, report.byteCount / 1000)) kB"
      facts = [length, size, bytes].compactMap { $0 }.joined(separator: ", ")
    }
  }

  private let report: RenderReport
  private let media: Media
  /// What shows where the pointer leads to; nil for nothing.
  package var pictures: Pictures?
  /// Other outputs of the same call.
  package var others: [Other] = []
  /// The readers. Lines can be struck on a page for editors only.
  package var audience = PageAudience.viewers

  /// The page for `report`, which plays `media`.
  package init(_ report: RenderReport, media: Media) {
    (self.report, self.media) = (report, media)
  }

  /// The HTML text.
  ///
  /// - Throws: ``PageError/noCall`` where the report does not say what happened.
  package func html() throws(PageError) -> String {
    guard let call = report.call else { throw .noCall }
    let data = PageData(report, call, media, pictures, others, for: audience)
    let resources = PageResources.call
    return resources.document([
      "policy": resources.policy(for: media.address).asMarkup,
      "generator": "Tessera \(TesseraVersion.current)".asMarkup,
      "title": data.title.asMarkup,
      "style": resources.style,
      "script": resources.script,
      "plain": data.plainMarkup,
      "data": PageText.json(data),
    ])
  }
}

/// Why no page was made: one sentence with what to do.
package enum PageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The report does not say what happened in the call.
  case noCall
  /// An address that is neither relative nor `http` nor `https`.
  case address(String)
  /// A file that is not the page of a call.
  case noPage(String)

  package var description: String { sentence.commandLine }

  /// The sentence, with options as values.
  package var sentence: Message {
    switch self {
    case .noCall:
      "the report does not say what happened in the call: it is of a failed render or of an older "
        + "version; render again with \(option: "report")."
    case .address(let text):
      "a page cannot play \(text): give a path relative to the page, or an address that begins "
        + "with https:// or http://."
    case .noPage(let path):
      "\(path) is not the page of a call: give pages that tessera render \(option: "page") or "
        + "tessera page made."
    }
  }
}
