import TesseraJobs
package import TesseraMessages
import TesseraPlan
package import TesseraRendering
package import TesseraRequest
import TesseraSystem
import TesseraTimeline

/// A web page that plays a composed call, with participants, turns and transcript: one HTML file.
///
/// The page needs no network and no server. All text from recordings is data: it is embedded as
/// JSON and inserted as text, under a Content-Security-Policy that only permits the page's own
/// script and style.
package struct CallPage {
  /// The output that the page plays.
  package struct Media: Hashable, Sendable {
    /// The address: relative to the page, or an `http` or `https` URL.
    package var address: String
    /// False for an output with sound only.
    package var hasPictures: Bool

    /// Creates an output at `address`.
    ///
    /// - Throws: ``PageError`` if the page may not refer to `address`.
    package init(_ address: String, hasPictures: Bool) throws(PageError) {
      guard PageAddressRules.isAllowed(address) else { throw .address(address) }
      (self.address, self.hasPictures) = (address, hasPictures)
    }

    /// Creates an output at the path `output`, referenced relative to the page at the path `page`.
    ///
    /// - Throws: ``PageError`` if the paths have no common folder.
    package init(
      output: String, page: String, hasPictures: Bool
    ) throws(PageError) {
      let path = PageAddressRules.path(of: output, from: page)
      try self.init(PageAddressRules.address(ofPath: path), hasPictures: hasPictures)
    }
  }

  /// Thumbnails of the output, which preview the position under the pointer.
  package struct PreviewThumbnails: Hashable, Sendable {
    /// The address of the sheet, relative to the page.
    package var address: String
    /// The times and positions of the thumbnails on the sheet.
    package var thumbnails: ThumbnailImage

    /// Creates a reference to the sheet at the path `file` with `thumbnails`, for a page at the
    /// path `page`.
    package init(_ thumbnails: ThumbnailImage, file: String, page: String) {
      self.thumbnails = thumbnails
      address = PageAddressRules.address(ofPath: PageAddressRules.path(of: file, from: page))
    }
  }

  /// A link to another output of the call.
  package struct OtherOutput: Hashable, Sendable {
    var name, address, facts: String

    /// Creates a link to the output of `report`, for a page at the path `page`.
    ///
    /// - Throws: ``PageError`` if the paths have no common folder.
    package init(_ report: RenderReport, page: String) throws(PageError) {
      let path = PageAddressRules.path(of: report.output, from: page)
      address = PageAddressRules.address(ofPath: path)
      guard PageAddressRules.isAllowed(address) else { throw .address(address) }
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
  /// The thumbnails for previews; `nil` for none.
  package var pictures: PreviewThumbnails?
  /// The links to other outputs of the call.
  package var others: [OtherOutput] = []
  /// The readers of the page. Only a page for editors allows striking lines.
  package var audience = PageAudience.viewers

  /// Creates a page for `report` that plays `media`.
  package init(_ report: RenderReport, media: Media) {
    (self.report, self.media) = (report, media)
  }

  /// Returns the page as HTML.
  ///
  /// - Throws: ``PageError/noCall`` if the report does not contain the call.
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
      "data": ScriptJSON.json(data),
    ])
  }
}

/// The reason why a page cannot be written, as one sentence with the remedy.
package enum PageError: Error, Hashable, Sendable, MessageConvertible, CustomStringConvertible {
  /// The report does not contain the call.
  case noCall
  /// The address is neither relative nor an `http` or `https` URL.
  case address(String)
  /// The file is not the page of a call.
  case noPage(String)

  package var sentence: UserMessage {
    switch self {
    case .noCall:
      "the report does not describe the call: it is from a failed render or from an older "
        + "version; render again with \(option: "report")."
    case .address(let text):
      "a page cannot play \(text): give a path relative to the page, or an address that begins "
        + "with https:// or http://."
    case .noPage(let path):
      "\(file: path) is not the page of a call: give pages that tessera render \(option: "page") or "
        + "tessera page made."
    }
  }
}
