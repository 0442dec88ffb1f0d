import Foundation
import TesseraMessages
import TesseraPixels
import TesseraRequest
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPage
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

@Suite(.timed) struct PageTests {
  private static func report(title: String = "Sync", names: [String] = ["Ada", "Ben"])
    -> RenderReport
  {
    let people = names.enumerated().map { index, name in
      CallActivity.Person(
        id: ParticipantID(rawValue: "p\(index)"), name: name, present: [.init(0, 10)],
        camera: [.init(0, 4.5)], microphone: [.init(0, 10)],
        speaking: [.init(Double(index), Double(index) + 1)], screen: [])
    }
    var report = RenderReport(
      duration: 10, frameCount: 300, pixelsWritten: 0, inputs: [], messages: [])
    report.output = "/tmp/work/out/call.mp4"
    report.call = CallActivity(
      title: title, frameRate: 30, people: people,
      turns: people.map { CallActivity.Turn(participant: $0.id, span: $0.speaking[0]) },
      chapters: [CallActivity.Chapter(title: "Start", start: 0)],
      captions: [
        CallActivity.Captions(
          language: "eng", title: "English",
          cues: [
            .init(span: .init(0.25, 0.75), text: "Hello\nthere"),
            .init(span: .init(6, 7), text: "?"),
          ])
      ])
    return report
  }

  private static func html(_ report: RenderReport, _ address: String = "call.mp4") throws -> String
  {
    try CallPage(report, media: CallPage.Media(address, hasPictures: true)).html()
  }

  /// Returns the JSON inside a page, as its script reads it.
  private static func data(_ html: String) throws -> [String: Any] {
    let start = try #require(html.range(of: #"id="data">"#)).upperBound
    let end = try #require(html.range(of: "</script>", range: start..<html.endIndex)).lowerBound
    let object = try JSONSerialization.jsonObject(with: Data(html[start..<end].utf8))
    return try #require(object as? [String: Any])
  }

  @Test func dataMatchesTheReport() throws {
    let data = try Self.data(try Self.html(Self.report()))
    #expect(data["title"] as? String == "Sync" && data["duration"] as? Int == 10_000)
    #expect(data["turns"] as? [Int] == [0, 0, 1000, 1, 0, 1000])
    let people = try #require(data["people"] as? [[String: Any]])
    #expect(people.map { $0["name"] as? String } == ["Ada", "Ben"])
    #expect(people[0]["camera"] as? [Int] == [0, 4500])
    #expect(people[1]["speaking"] as? [Int] == [1000, 1000])
    #expect(data["silence"] as? [Int] == [2000, 10_000])
    let lines = try #require(data["lines"] as? [[Any]])
    #expect(lines[0][0] as? Int == 0 && lines[0][3] as? String == "Hello there")
    #expect(lines[1][0] as? Int == -1 && lines[1][1] as? Int == 5750 && lines[1][2] as? Int == 1000)
  }

  @Test(arguments: [
    "</script><script>alert(1)</script>", "<!--<script>", "\u{2028}\u{2029}", "{{script}}",
    "\"><img>",
    "\u{202e}gro", "]]>", "\u{1b}[2J\u{8}\u{c}\u{7f}", "\\u202e \\\\n \t\n",
  ])
  func hostileNamesStayText(name: String) throws {
    let html = try Self.html(Self.report(title: name, names: [name]))
    #expect(html.components(separatedBy: "</script").count == 3)
    #expect(!html.contains("alert(1)</script>") && !html.contains("\"><img>"))
    let data = try Self.data(html)
    // Tabs and line ends are shown as blanks.
    let shown = name.split(separator: /[\t\n]/, omittingEmptySubsequences: false).map {
      String($0).spellingOutControls()
    }
    for text in [data["title"], (data["people"] as? [[String: Any]])?.first?["name"]] {
      let parts = (text as? String)?.split(separator: /[\t\n]/, omittingEmptySubsequences: false)
      #expect(parts?.map(String.init) == shown)
    }
    #expect(!html.unicodeScalars.contains { "\u{202e}\u{2028}\u{1b}".unicodeScalars.contains($0) })
  }

  @Test func thePolicyPermitsOnlyThePagesScript() throws {
    let html = try Self.html(Self.report(), "https://cdn.example.com/a/call.mp4?x=1")
    let start = try #require(html.range(of: #"Content-Security-Policy" content=""#)).upperBound
    let policy = html[start...].prefix { $0 != "\"" }
    #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
    #expect(!policy.contains("unsafe-inline"))
    #expect(policy.contains("media-src 'self' file: https://cdn.example.com;"))
  }

  @Test(arguments: [
    "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "/etc/passwd", "",
    "https://user:secret@host/a.mp4", "a\nb", "C:\\call.mp4", "https://",
  ])
  func otherAddressesAreRefused(address: String) {
    #expect(throws: PageError.address(address)) {
      try CallPage.Media(address, hasPictures: true)
    }
  }

  @Test func addressesAreRelative() throws {
    for (output, page, address) in [
      ("/a/b/call.mp4", "/a/b/call.html", "call.mp4"),
      ("/a/b/call.mp4", "/a/c/call.html", "../b/call.mp4"),
      ("/a/ü #1.mp4", "/a/x.html", "%C3%BC%20%231.mp4"),
      ("/a/b/a:b.mp4", "/a/b/x.html", "a%3Ab.mp4"),
    ] {
      let media = try CallPage.Media(output: output, page: page, hasPictures: true)
      #expect(media.address == address)
    }
  }

  @Test func otherOutputsAndThumbnailsAreLinked() throws {
    var other = Self.report()
    other.output = "/tmp/work/out/phone #1.mp4"
    other.byteCount = 12_400_000
    other.call?.width = 1080
    other.call?.height = 1920
    var page = CallPage(
      Self.report(), media: try CallPage.Media("call.mp4", hasPictures: true))
    page.others = [try CallPage.OtherOutput(other, page: "/tmp/work/call.html")]
    let grid = ContactSheetGrid(
      of: PixelSize(width: 1920, height: 1080), count: 7, longestSide: 160, gap: 0)
    page.pictures = CallPage.PreviewThumbnails(
      ThumbnailImage(interval: MediaTime(seconds: 5), count: 7, grid: grid),
      file: "/tmp/work/call-thumbnails.jpg", page: "/tmp/work/call.html")
    let data = try Self.data(try page.html())
    #expect(
      data["files"] as? [[String: String]] == [
        ["name": "phone #1.mp4", "href": "out/phone%20%231.mp4", "facts": "0:10, 1080x1920, 12 MB"]
      ])
    let thumbs = try #require(data["thumbs"] as? [String: Any])
    #expect(thumbs["src"] as? String == "call-thumbnails.jpg" && thumbs["step"] as? Int == 5000)
    #expect(thumbs["columns"] as? Int == 2 && thumbs["count"] as? Int == 7)
    #expect(thumbs["width"] as? Int == 160 && thumbs["height"] as? Int == 90)
  }

  @Test func noLocalPathIsInThePage() throws {
    var report = Self.report()
    report.inputs = [
      RenderReport.ParticipantReport(
        id: ParticipantID(rawValue: "p0"), name: "Ada", files: ["/secret/place/ada.webm"],
        voices: [],
        losses: [
          Loss(.overlap(1), of: ParticipantID(rawValue: "p0"), source: "/secret/place/ada.webm")
        ])
    ]
    report.messages = [
      "\(file: "/secret/place/ada.webm") begins late.",
      "the folder \(file: "/other/place") is empty.",
    ]
    let html = try Self.html(report)
    #expect(!html.contains("/secret") && !html.contains("/other") && !html.contains("/tmp"))
    #expect(html.contains("ada.webm begins late."))
    // The notes of a stored report are plain texts.
    let stored = try JSONDecoder().decode(RenderReport.self, from: JSONEncoder().encode(report))
    #expect(try Self.html(stored) == html)
  }

  @Test(
    "Notes with paths are dropped, but not notes with a slash inside a word",
    arguments: [
      ("the A/V desk and/or 24/7 at 3 km/h.", true), ("a / b", true), ("see /home/a.mp4", false),
      ("see ./a.mp4", false), ("see a/b.mp4.", false), ("see \"/x y\"", false),
      ("see recordings/", false), ("see file:///x", false), ("see ~/x", false),
    ])
  func slashes(_ note: String, _ isKept: Bool) {
    #expect(PageNotes(Self.report()).sentence(UserMessage(note)) == (isKept ? note : nil))
  }

  @Test("A report with any numbers gives a page", arguments: [1e30, -1e30, 9e15])
  func hugeNumbers(_ number: Double) throws {
    var report = Self.report()
    report.call?.people[0].speaking = [.init(-number, number), .init(0, number)]
    report.call?.chapters = [CallActivity.Chapter(title: "x", start: number)]
    report.call?.frameRate = 0
    report.duration = number
    report.cuts = [RenderReport.Cut(from: 1, to: number, reason: "x")]
    report.deviations = [RenderReport.Deviation(from: number, to: nil, person: nil, text: "x")]
    _ = try Self.data(try Self.html(report))
    _ = try CallPage.OtherOutput(report, page: "/tmp/work/out/call.html")
  }

  @Test func deviationsHaveALane() throws {
    var report = Self.report()
    #expect(try Self.data(try Self.html(report))["faults"] == nil)
    report.deviations = []
    #expect(try Self.data(try Self.html(report))["faults"] as? [Int] == [])
    report.deviations = [
      RenderReport.Deviation(from: 8, to: 9, person: "Ben", text: "the tile is black"),
      RenderReport.Deviation(from: 2, to: nil, person: nil, text: "a caption is missing"),
      RenderReport.Deviation(from: 8.5, to: 9.5, person: nil, text: "sound is missing"),
    ]
    let data = try Self.data(try Self.html(report))
    #expect(data["faults"] as? [Int] == [2000, 100, 5900, 1500])
    let people = try #require(data["people"] as? [[String: Any]])
    #expect(people.map { $0["faults"] as? [Int] } == [[], [8000, 1000]])
    let notes = try #require(data["notes"] as? [[String: Any]])
    #expect(notes.map { $0["person"] as? Int } == [1, nil, nil])
    #expect(notes.map { $0["time"] as? Int } == [8000, 2000, 8500])
    report.deviations = [
      RenderReport.Deviation(from: nil, to: nil, person: nil, text: "the index stands at the end")
    ]
    #expect(try Self.data(try Self.html(report))["faults"] as? [Int] == [])
  }

  @Test("Cuts and their reasons are on pages for editors only")
  func audiences() throws {
    var report = Self.report()
    report.cuts = [RenderReport.Cut(from: 1, to: 2, reason: "private")]
    let viewers = try Self.html(report)
    #expect(try Self.data(viewers)["cuts"] == nil && !viewers.contains("private"))
    var page = CallPage(report, media: try CallPage.Media("call.mp4", hasPictures: true))
    page.audience = .editors
    let cuts = try #require(try Self.data(try page.html())["cuts"] as? [[Any]])
    #expect(cuts.count == 1 && cuts[0].last as? String == "private")
  }

  @Test("A call without a title gets its output's name")
  func headings() throws {
    var report = Self.report()
    report.call?.title = nil
    report.output = "/tmp/work/out/Planning 2026-11-03.mp4"
    let html = try Self.html(report)
    #expect(try Self.data(html)["title"] as? String == "Planning 2026-11-03")
    #expect(html.contains("<title>Planning 2026-11-03</title>"))
    #expect(html.contains(#"dir="auto">Planning 2026-11-03</h1>"#))
  }

  @Test("Slides are a lane below the people, not a person")
  func slides() throws {
    var report = Self.report(names: ["Ada", "Slides", "Ben"])
    report.call?.people[0].speaking = []
    report.call?.people[1] = CallActivity.Person(
      id: ParticipantID(rawValue: "p1"), name: "Slides", present: [], camera: [], microphone: [],
      speaking: [], screen: [.init(0, 9)])
    let html = try Self.html(report)
    let people = try #require(try Self.data(html)["people"] as? [[String: Any]])
    #expect(people.map { $0["name"] as? String } == ["Ben", "Ada", "Slides"])
    #expect(people.map { $0["isScreenOnly"] as? Bool } == [nil, nil, true])
    #expect(html.contains("<ul><li>Ben</li><li>Ada</li></ul>"))
    let row = try IndexPage.Call(page: "/a/call.html", html, index: "/a/index.html")
    #expect(IndexPage([row]).html().contains(#""people":["Ben","Ada"]"#))
  }

  @Test("Without scripts a page has the player, the names and the transcript", arguments: [0, 1])
  func plainMarkup(further: Int) throws {
    var report = Self.report(names: ["Ada <b>", "Ben"])
    let count = PageData.mostPlainLines + further
    report.call?.lines = (0..<count).map {
      CallActivity.TranscriptLine(
        participant: $0 == 1 ? nil : ParticipantID(rawValue: "p0"), speaker: "Guest & co",
        span: .init(Double($0), Double($0) + 0.5), text: "</noscript><i>line \($0)</i>")
    }
    let html = try Self.html(report, "a%20call.mp4")
    let start = try #require(html.range(of: "<noscript>")).upperBound
    let end = try #require(html.range(of: "</noscript>", range: start..<html.endIndex)).lowerBound
    let plain = html[start..<end]
    #expect(plain.contains(#"<video controls preload="metadata" src="a%20call.mp4"></video>"#))
    #expect(plain.contains(#"<a href="a%20call.mp4">a call.mp4</a>"#))
    #expect(plain.contains("<li>Ada &lt;b&gt;</li><li>Ben</li>"))
    let head = "<b><bdi>Guest &amp; co</bdi> <time>0:01</time></b> "
    let line = "<p>\(head)&lt;/noscript&gt;&lt;i&gt;line 1&lt;/i&gt;</p>"
    #expect(plain.contains(line) == (further == 0))
    #expect(plain.contains("line 1999&lt;") == (further == 0))
    #expect(plain.contains("Turn on scripts to read") == (further == 1))
  }

  @Test func codeIsSmall() {
    let resources = PageResources.call
    #expect(resources.script.utf8.count + resources.style.utf8.count < 120_000)
  }

  @Test func aReportWithoutACallHasNoPage() {
    var report = Self.report()
    report.call = nil
    #expect(throws: PageError.noCall) { try Self.html(report) }
  }
}
