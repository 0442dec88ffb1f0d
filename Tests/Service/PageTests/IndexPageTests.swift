import Foundation
import TestSupport
import Testing

@testable import TesseraPage

/// Lists of calls, built from their pages.
@Suite(.timed) struct IndexPageTests {
  private static func page(_ data: String) -> String {
    "<html><script type=\"application/json\" id=\"data\">\(data)</script></html>"
  }

  private static let call = """
    {"title": "Sync", "duration": 83000, "people": [{"name": "Ada"}, {"name": "Ben"}],
     "notes": [{"text": "a"}, {"text": "b", "time": 5}],
     "thumbs": {"src": "a%20b-thumbnails.jpg", "step": 5000, "count": 17, "columns": 10,
       "width": 160, "height": 90}}
    """

  private static func rows(_ calls: [IndexPage.Call]) throws -> [[String: Any]] {
    let html = IndexPage(calls).html()
    #expect(html.components(separatedBy: "</script").count == 3)
    let start = try #require(html.range(of: #"id="data">"#)).upperBound
    let end = try #require(html.range(of: "</script>", range: start..<html.endIndex)).lowerBound
    let object = try JSONSerialization.jsonObject(with: Data(html[start..<end].utf8))
    return try #require((object as? [String: Any])?["calls"] as? [[String: Any]])
  }

  @Test func aRowMatchesItsPage() throws {
    let call = try IndexPage.Call(
      page: "/calls/a b/a b.html", Self.page(Self.call), index: "/calls/index.html")
    let row = try #require(try Self.rows([call]).first)
    #expect(row["href"] as? String == "a%20b/a%20b.html" && row["title"] as? String == "Sync")
    #expect(row["people"] as? [String] == ["Ada", "Ben"] && row["losses"] as? Int == 1)
    let thumb = try #require(row["thumb"] as? [String: Any])
    #expect(thumb["src"] as? String == "a%20b/a%20b-thumbnails.jpg")
    #expect(thumb["rows"] as? Int == 2 && thumb["row"] as? Int == 0 && thumb["column"] as? Int == 8)
  }

  @Test(arguments: ["javascript:alert(1)", "/etc/passwd", "file:///x.jpg", "data:text/html,x"])
  func unsafePictureAddressesAreDropped(source: String) throws {
    let text = Self.call.replacing("a%20b-thumbnails.jpg", with: source)
    let call = try IndexPage.Call(page: "a.html", Self.page(text), index: "index.html")
    #expect(try Self.rows([call])[0]["thumb"] == nil)
  }

  @Test func hostileTitlesStayText() throws {
    let title = "\\u003c/script>\\u003cscript>alert(1)\\u003c/script>{{script}}"
    let text = Self.call.replacing("Sync", with: title)
    let call = try IndexPage.Call(page: "a.html", Self.page(text), index: "index.html")
    #expect(
      try Self.rows([call])[0]["title"] as? String
        == "</script><script>alert(1)</script>{{script}}")
  }

  @Test(arguments: [
    "", "<html></html>", page("{}"), page("[1"), page(call).replacing("83000", with: "x"),
  ])
  func otherFilesAreRefused(html: String) {
    #expect(throws: PageError.noPage("a.html")) {
      try IndexPage.Call(page: "a.html", html, index: "index.html")
    }
  }
}
