import Foundation
import TesseraJobs
import TesseraTimeline

/// A web page that lists calls and links to their pages, with a search by title and name.
///
/// Each row shows a thumbnail, the duration, the participants and the number of losses. The rows
/// are read from the calls' pages, so that a list can be rebuilt from existing pages. All text is
/// data, as in ``CallPage``.
package struct IndexPage {
  /// A row of the list.
  package struct Call: Encodable, Sendable {
    /// The address of the call's page, relative to the list.
    private var href: String
    private var title: String
    private var duration: Int
    private var people: [String]
    private var losses: Int
    private var thumb: Thumb?

    /// A cell of a thumbnail sheet.
    fileprivate struct Thumb: Encodable, Sendable {
      var src: String
      var columns, rows, column, row, width, height: Int
    }
  }

  private let title: String
  private let calls: [Call]

  /// Creates a list of `calls`, in order.
  package init(title: String = "Calls", _ calls: [Call]) {
    (self.title, self.calls) = (title, calls)
  }

  package func html() -> String {
    struct List: Encodable { var calls: [Call] }
    let resources = PageResources.index
    return resources.document([
      "policy": resources.policy().asMarkup,
      "generator": "Tessera \(TesseraVersion.current)".asMarkup,
      "title": title.asMarkup,
      "style": resources.style,
      "script": resources.script,
      "data": ScriptJSON.json(List(calls: calls)),
    ])
  }
}

extension IndexPage.Call {
  /// The part of a call page's data that the list uses; ``PageData`` is the complete form.
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

  /// Reads the row of a call from its page.
  ///
  /// - Parameters:
  ///   - path: the path of the call's page.
  ///   - html: the content of that page.
  ///   - index: the path of the list.
  /// - Throws: ``PageError`` if `html` is not the page of a call, or the paths have no common
  ///   folder.
  package init(page path: String, _ html: String, index: String) throws(PageError) {
    let marks = ("<script type=\"application/json\" id=\"data\">", "</script>")
    guard let begin = html.range(of: marks.0)?.upperBound,
      let end = html[begin...].range(of: marks.1)?.lowerBound,
      let page = try? JSONDecoder().decode(Page.self, from: Data(html[begin..<end].utf8))
    else { throw .noPage(path) }
    href = PageAddressRules.address(ofPath: PageAddressRules.path(of: path, from: index))
    guard PageAddressRules.isAllowed(href) else { throw .address(href) }
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
  /// Finds the cell at the middle of the call; `nil` if the sheet's description is invalid.
  fileprivate init?(
    _ source: String, in folder: Substring, _ count: Int, _ columns: Int, _ width: Int,
    _ height: Int
  ) {
    guard PageAddressRules.isAllowed(source), count > 0, columns > 0, width > 0, height > 0 else {
      return nil
    }
    let isElsewhere = PageAddressRules.origin(of: source) != nil
    src = isElsewhere ? source : folder + source
    (self.columns, rows) = (columns, (count - 1) / columns + 1)
    (row, column) = (count / 2).quotientAndRemainder(dividingBy: columns)
    (self.width, self.height) = (width, height)
  }
}
