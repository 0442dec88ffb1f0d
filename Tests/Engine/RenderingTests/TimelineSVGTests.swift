import Foundation
import FoundationXML
import TesseraCodecs
import TesseraLayout
import TesseraPixels
import TesseraSoundtrack
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

@Suite(.timed) struct TimelineSVGTests {
  /// Returns a plan of people who are present one after another, with the names `names`.
  private static func plan(seconds: Int, names: [String]) throws -> Plan {
    let video = VideoEncoderSettings(
      size: PixelSize(width: 640, height: 360), frameRate: .thirty)
    let engine = try LayoutEngine(
      policy: GridLayout(), canvas: Size(width: 640, height: 360), gap: 0,
      maximumTiles: names.count, fit: .auto, allItems: [])
    let frames = seconds * 30
    var plan = Plan(
      scenes: try LayoutTimeline([], engine: engine, transition: .standard),
      output: OutputFormat(video: video), frameCount: frames, cut: FrameSelection(0..<frames))
    for (index, name) in names.enumerated() {
      let id = ParticipantID(rawValue: "p\(index)")
      plan.participants.append(Plan.Participant(id: id, name: name))
      var slot = TileTimeline(id: index, participant: id, kind: .camera)
      slot.presence = [frames * index / names.count..<frames]
      slot.contents = ValueTimeline(.card(.person(id)))
      plan.slots.append(slot)
    }
    return plan
  }

  private final class Reader: NSObject, XMLParserDelegate {
    var texts: [String] = []
    private var text = ""
    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) { text = "" }
    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) { if !text.isEmpty { texts.append(text); text = "" } }
  }

  /// Returns the texts of the drawing, which must be XML.
  private static func texts(_ svg: String) throws -> [String] {
    let parser = XMLParser(data: Data(svg.utf8))
    let reader = Reader()
    parser.delegate = reader
    let isXML = parser.parse()
    try #require(isXML, "\(String(describing: parser.parserError))")
    return reader.texts
  }

  @Test func namesAreEscaped() throws {
    let names = ["<b>&\"Ada\"</b>", "Ben\u{1}\u{1B}\u{FFFE}", "葛飾北斎葛飾北斎葛飾北斎葛飾", ""]
    let texts = try Self.texts(
      TimelineSVG(try Self.plan(seconds: 60, names: names)).svg)
    #expect(texts.contains("<b>&\"Ada\"</b>"))
    #expect(texts.contains("Ben\\u{01}\\u{1B}\u{FFFD}"))
    #expect(texts.contains("葛飾北斎葛飾北斎葛飾北…"))
  }

  @Test(arguments: [1, 300, 18_000], [3, 60])
  func timeLabelsHaveRoom(seconds: Int, people: Int) throws {
    let names = (1...people).map { "Person \($0)" }
    let plan = try Self.plan(seconds: seconds, names: names)
    let axis = TimelineAxis(plan, left: 0)
    let ticks = axis.ticks
    #expect((4...32).contains(ticks.count))
    #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $1.x - $0.x >= 79 })
    #expect(ticks.first?.x == 0)
    let labels = TimelineMarks(plan).labels(on: axis, letter: 6.4)
    for (first, second) in zip(labels, labels.dropFirst()) {
      #expect(first.x + Double(first.mark.text.count) * 6.4 < second.x)
    }
    #expect(!labels.isEmpty)
    let texts = try Self.texts(TimelineSVG(plan).svg)
    #expect(names.allSatisfy(texts.contains))
  }

  @Test func adjacentBarsAreJoined() throws {
    let axis = TimelineAxis(try Self.plan(seconds: 18_000, names: ["Ada"]), left: 10)
    let path = try #require(axis.bars([0..<2, 4..<6, 270_000..<540_001], top: 1, height: 4))
    #expect(path == "M10 1H10.5V5H10z" + "M1210 1H2410V5H1210z")
    #expect(axis.bars([600_000..<700_000], top: 0, height: 1) == nil)
  }
}
