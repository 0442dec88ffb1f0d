import Foundation
import TesseraCaptions
import TesseraCodecs
import TesseraPixels
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPage
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// A page shows the state of the plan in every frame.
@Suite(.timed) struct PageAgreementTests {
  /// The data that a page's script reads.
  private struct Data: Decodable {
    struct Person: Decodable {
      var id: String
      var name: String
      var present, camera, microphone, speaking, screen: [Int]

      /// Converts the spans from distances to starts and ends.
      mutating func add() {
        func sums(_ distances: [Int]) -> [Int] {
          var sum = 0
          return distances.map { distance in
            sum += distance
            return sum
          }
        }
        (present, camera, screen) = (sums(present), sums(camera), sums(screen))
        (microphone, speaking) = (sums(microphone), sums(speaking))
      }
    }
    var duration: Int
    var people: [Person]
    var turns: [Int]
    var chapters: [[Either]]
    var lines: [[Either]]
  }

  /// A number or a text.
  private enum Either: Decodable, Equatable {
    case number(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  /// Returns a session of up to five people whose recordings start at any time, and who turn
  /// devices on and off, come, go and speak at any time.
  private static func session(_ random: inout SplitMix64) -> String {
    func time(_ end: Int = 200) -> String {
      "\(Double(Int.random(in: 0...end, using: &random)) / 10)"
    }
    let people = Int.random(in: 1...5, using: &random)
    var text = "version: 1\ntitle: Random\nparticipants:\n"
    for person in 0..<people {
      let starts = (0..<Int.random(in: 1...3, using: &random)).map { _ in time(160) }
      let kinds = starts.map { _ in
        ["camera", "screen", "media"].randomElement(using: &random) ?? ""
      }
      let tracks = zip(starts, kinds).map { "{ file: a.mkv, start: \($0), kind: \($1) }" }
      text += "  - { id: p\(person), name: Person \(person), tracks: ["
      text += tracks.joined(separator: ", ") + "] }\n"
    }
    text += "events:\n"
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let change = [
        "camera: off", "camera: on", "microphone: off", "microphone: on", "present: on",
        "present: off", "name: Other",
      ].randomElement(using: &random)
      let person = Int.random(in: 0..<people, using: &random)
      text += "  - { at: \(time()), participant: p\(person), \(change ?? "") }\n"
      text += "  - { at: \(time()), speaking: p\(Int.random(in: 0..<people, using: &random)) }\n"
    }
    return text
  }

  private static func contains(_ spans: [Int], _ time: Double) -> Bool {
    stride(from: 0, to: spans.count, by: 2).contains {
      Double(spans[$0]) <= time && time < Double(spans[$0 + 1])
    }
  }

  private static func data(_ plan: Plan) throws -> Data {
    let report = RenderReport(plan, pictures: [:], voices: [], pixelsWritten: 0)
    // As a report is written and read again.
    let again = try JSONDecoder().decode(RenderReport.self, from: JSONEncoder().encode(report))
    let html = try CallPage(again, media: CallPage.Media("a.mp4", hasPictures: true)).html()
    let start = try #require(html.range(of: #"id="data">"#)).upperBound
    let end = try #require(html.range(of: "</script>", range: start..<html.endIndex)).lowerBound
    var data = try JSONDecoder().decode(Data.self, from: Foundation.Data(html[start..<end].utf8))
    for person in data.people.indices { data.people[person].add() }
    var last = 0
    for index in stride(from: 0, to: data.turns.count, by: 3) {
      data.turns[index + 1] += last
      data.turns[index + 2] += data.turns[index + 1]
      last = data.turns[index + 2]
    }
    return data
  }

  @Test func everyFrameMatchesThePlan() throws {
    let folder = try TemporaryFolder()
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=32x18:r=10:d=4", "-f", "lavfi", "-i", "sine=d=4", "-c:v",
      "libx264", "-preset", "ultrafast", "-c:a", "libopus", folder.path("a.mkv"),
    ])
    var random = SplitMix64(seed: 30)
    for number in 0..<8 {
      let text = Self.session(&random)
      let path = folder.path("session-\(number).yaml")
      try Foundation.Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let video = VideoEncoderSettings(
        size: PixelSize(width: 64, height: 36), frameRate: try #require(FrameRate("10")))
      var call = try CallRequest(inputs: [path])
      (call.wantsTurns, call.speakerSource) = (true, .events)
      var rendition = Rendition(output: OutputFormat(video: video))
      if number % 2 == 1 { rendition.from = MediaTime(nanoseconds: 1_300_000_000) }
      let word = Transcript.Line(
        "person 0", from: MediaTime(seconds: 2), to: MediaTime(seconds: 3), "x")
      call.transcripts = [TranscriptInput(Transcript([word]), name: "t")]
      let plan = try Planner.plan(rendition, of: call)
      try Self.compare(try Self.data(plan), plan, text)
    }
  }

  private static func compare(_ data: Data, _ plan: Plan, _ session: String) throws {
    #expect(data.duration == 100 * plan.frames.count)
    // People are sorted by their first speech.
    let people = try data.people.map { person in
      try #require(plan.participants.first { $0.id.rawValue == person.id })
    }
    for frame in plan.frames {
      let middle = 100 * (Double(frame - plan.frames.lowerBound) + 0.5)
      let instant = MediaTime(nanoseconds: Int64(frame) * 100_000_000 + 50_000_000)
      for (person, shown) in zip(people, data.people) {
        let slots = plan.slots.filter { $0.participant == person.id }
        func isThere(_ kind: TileTimeline.Kind, showing isShown: (TileTimeline.Content) -> Bool)
          -> Bool
        {
          slots.contains { slot in
            slot.kind == kind && slot.presence.contains { $0.contains(frame) }
              && slot.contents[frame].map(isShown) ?? isShown(.nothing)
          }
        }
        func hasPicture(_ content: TileTimeline.Content) -> Bool {
          if case .track = content { true } else { false }
        }
        let isMuted = slots.contains {
          $0.kind == .camera && $0.decorations[frame]?.isMuted == true
        }
        let place = "\(person.name) in frame \(frame) of:\n\(session)"
        #expect(contains(shown.present, middle) == isThere(.camera) { _ in true }, "\(place)")
        #expect(contains(shown.camera, middle) == isThere(.camera, showing: hasPicture), "\(place)")
        #expect(contains(shown.screen, middle) == isThere(.screen, showing: hasPicture), "\(place)")
        if isMuted { #expect(!contains(shown.microphone, middle), "\(place)") }
      }
      let floor = plan.turns.first { $0.interval.start <= instant && instant < $0.interval.end }
      let turn = stride(from: 0, to: data.turns.count, by: 3).first {
        Double(data.turns[$0 + 1]) <= middle && middle < Double(data.turns[$0 + 2])
      }
      let speaker = turn.map { people[data.turns[$0]].id }
      #expect(speaker == floor?.participant, "frame \(frame) of:\n\(session)")
    }
    #expect(
      data.chapters
        == plan.output.chapters.map {
          [.number(Int(($0.start.seconds * 1000).rounded())), .text($0.title)]
        })
    let lines = plan.transcript.lines
    #expect(data.lines.map(\.last) == lines.map { .text($0.text) })
    #expect(
      data.lines.first?[1] == lines.first.map { .number(Int(($0.from.seconds * 1000).rounded())) })
  }
}
