import Foundation
import TesseraJobs
import TesseraTimeline

/// A page that lists calls and leads to their pages: a row for each with a picture, its length, the
/// people and what was lost, and a search by title and name.
///
/// The rows are made of what the calls' own pages hold, so that a list is made again of whatever
/// pages there are. As there, all text is data.
package struct IndexPage {
  /// One call in the list.
  package struct Call: Encodable, Sendable {
    /// Where the call's page is.
    private var href: String
    private var title: String
    private var duration: Int
    private var people: [String]
    private var losses: Int
    private var thumb: Thumb?

    /// One cell of a sheet of thumbnails.
    fileprivate struct Thumb: Encodable, Sendable {
      var src: String
      var columns, rows, column, row, width, height: Int
    }
  }

  private let title: String
  private let calls: [Call]

  /// The list of `calls`, in their order.
  package init(title: String = "Calls", _ calls: [Call]) {
    (self.title, self.calls) = (title, calls)
  }

  /// The HTML text.
  package func html() -> String {
    struct List: Encodable { var calls: [Call] }
    let resources = PageResources.index
    return resources.document([
      "policy": resources.policy().asMarkup,
      "generator": "Tessera \(TesseraVersion.current)".asMarkup,
      "title": title.asMarkup,
      "style": resources.style,
      "script": resources.script,
      "data": PageText.json(List(calls: calls)),
    ])
  }
}

extension IndexPage.Call {
  /// What the list needs of a call's page.
  private struct Page: Decodable {
    struct Person: Decodable {
      var name: String
      var isScreenOnly: Bool?
    }
    struct Note: Decodable { var time: Int? }
    struct Thumbs: Decodable {
      var src: String
      var step, count, columns, width, height: Int
    }

    var title: String
    var duration: Int
    var people: [Person]
    var notes: [Note]
    var thumbs: Thumbs?
  }

  /// The call whose page is at `path` and holds `html`, for a list at the path `index`.
  ///
  /// - Throws: ``PageError`` where `html` is not the page of a call, or both paths have no folder in
  ///   common.
  package init(page path: String, _ html: String, index: String) throws(PageError) {
    let marks = ("<script type=\"application/json\" id=\"data\">", "</script>")
    guard let begin = html.range(of: marks.0)?.upperBound,
      let end = html[begin...].range(of: marks.1)?.lowerBound,
      let page = try? JSONDecoder().decode(Page.self, from: Data(html[begin..<end].utf8))
    else { throw .noPage(path) }
    href = PageAddress.address(ofPath: PageAddress.path(of: path, from: index))
    guard PageAddress.isAllowed(href) else { throw .address(href) }
    (title, duration) = (page.title, page.duration)
    people = page.people.filter { $0.isScreenOnly != true }.map(\.name)
    losses = page.notes.count { $0.time != nil }
    let folder = href.lastIndex(of: "/").map { href[...$0] } ?? ""
    thumb = page.thumbs.flatMap {
      Thumb($0.src, in: folder, $0.count, $0.columns, $0.width, $0.height)
    }
  }
}

extension IndexPage.Call.Thumb {
  /// The cell in the middle of the call; nil where the sheet is not what a page has.
  fileprivate init?(
    _ source: String, in folder: Substring, _ count: Int, _ columns: Int, _ width: Int,
    _ height: Int
  ) {
    guard PageAddress.isAllowed(source), count > 0, columns > 0, width > 0, height > 0 else {
      return nil
    }
    let isElsewhere = PageAddress.origin(of: source) != nil
    src = isElsewhere ? source : folder + source
    (self.columns, rows) = (columns, (count - 1) / columns + 1)
    (row, column) = (count / 2).quotientAndRemainder(dividingBy: columns)
    (self.width, self.height) = (width, height)
  }
}
