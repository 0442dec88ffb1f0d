import Foundation
import PlanningSupport
import TesseraCaptions
import TesseraCodecs
import TesseraJobs
import TesseraLayout
import TesseraLettering
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRendering
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// A call of 40 s in which people come and go and a screen is shared.
@Suite(.timed) struct SharedScreenTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (name, seconds) in [("whole", 40), ("half", 20), ("screen", 8), ("short", 3)] {
      try Tool.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=s=64x36:r=10:d=\(seconds)", "-c:v", "libx264", "-preset",
        "ultrafast", folder.path("\(name).mkv"),
      ])
    }
  }

  private static let people = """
    participants:
      - { id: ada, tracks: [ { file: whole.mkv } ] }
      - { id: ben, tracks: [ { file: half.mkv, start: 3 } ] }
      - id: eva
        tracks:
          - { file: whole.mkv }
          - { file: screen.mkv, kind: screen, start: 6 }
    """

  private func plan(
    _ session: String, change: (inout RenditionRequest) -> Void = { _ in }
  ) throws -> Plan {
    let path = folder.path("session.yaml")
    try Data("version: 1\n\(session)\n".utf8).write(to: URL(fileURLWithPath: path))
    let video = VideoEncoderSettings(
      size: PixelSize(width: 640, height: 360), frameRate: try #require(FrameRate(10)))
    var request = RenditionRequest(
      try ImportedCall.open([path], unpackFolder: folder.path("w")),
      output: OutputFormat(video: video))
    request.call.speakerSource = .none
    change(&request)
    return try request.plan()
  }

  private func large(_ plan: Plan, _ seconds: Int) -> TileTimeline.Kind? {
    let id = plan.attributes(in: 10 * seconds).first { $0.traits.contains(.large) }?.id
    return plan.slots.first { $0.id == id }?.kind
  }

  @Test func aScreenIsLargeWhileItIsShared() throws {
    let plan = try plan(Self.people)
    #expect(large(plan, 5) == nil && large(plan, 8) == .screen && large(plan, 16) == nil)
  }

  @Test func theRecordingsLayoutAndTheOptionsHavePriority() throws {
    #expect(large(try plan("layout: grid\n" + Self.people), 8) == nil)
    let events = "\nevents: [ { at: 7, layout: grid } ]"
    #expect(large(try plan(Self.people + events), 9) == nil)
    #expect(large(try plan(Self.people) { $0.rendition.layout = GridLayout() }, 8) == nil)
    #expect(large(try plan(Self.people) { $0.rendition.focus = "ben" }, 8) == .camera)
  }

  @Test func thePlateOnAScreenFadesOut() throws {
    let plan = try plan(Self.people)
    let screen = try #require(plan.slots.first { $0.kind == .screen })
    let opacities = [60, 89, 92, 96, 130].map { screen.decorations[$0]?.plateOpacity }
    #expect(opacities[0] == 255 && opacities[1] == 255 && opacities[3] == 0 && opacities[4] == 0)
    #expect((1..<255).contains(try #require(opacities[2])))
    let camera = try #require(plan.slots.first { $0.kind == .camera })
    #expect(camera.decorations[390]?.plateOpacity == 255)
  }

  @Test func theFadingPlateIsDrawn() throws {
    let session = "participants: [ { id: eva, tracks: [ { file: screen.mkv, kind: screen } ] } ]"
    let (named, bare) = try (
      Rendered(plan(session), frames: 0..<60).digests,
      Rendered(plan(session) { $0.rendition.output.style.showsNames = false }, frames: 0..<60)
        .digests
    )
    #expect((0..<34).allSatisfy { named[$0] != bare[$0] })
    #expect((34..<60).allSatisfy { named[$0] == bare[$0] })
  }

  @Test func chaptersNameTheEvents() throws {
    let chapters = try plan(Self.people).output.chapters
    // Ben comes at 3 s, the screen at 6 s; the screen ends at 14 s, and Ben leaves at 23 s.
    #expect(chapters.map(\.start) == [0, 6, 23].map { MediaTime(seconds: $0) })
    #expect(
      chapters.map(\.title) == [
        "Start: ben joins", "eva shares a screen", "ben leaves",
      ])
  }

  @Test func aScreenThatIsSharedFromTheBeginningNamesTheFirstChapter() throws {
    let session = Self.people.replacing("start: 6", with: "start: 0")
    let chapters = try plan(session).output.chapters
    #expect(chapters.map(\.start) == [0, 23].map { MediaTime(seconds: $0) })
    #expect(chapters.map(\.title) == ["Start: eva shares a screen", "ben leaves"])
    // A share of more than ten seconds that stops is a chapter; a shorter one is a part of the
    // first.
    let long = try plan(session.replacing("screen.mkv", with: "half.mkv")).output.chapters
    #expect(long.map(\.start) == [0, 20].map { MediaTime(seconds: $0) })
    #expect(long.map(\.title) == ["Start: eva shares a screen", "eva stops sharing"])
    let lecture = "participants:\n  - { id: ada, tracks: [ { file: whole.mkv, kind: screen } ] }"
    #expect(try plan(lecture).output.chapters.isEmpty)
  }

  @Test(
    "No chapter for a person who comes before the first word or leaves after the last",
    arguments: [
      (4.0, 20.0, ["Start", "eva shares a screen"], [0, 6]),
      (2, 20, ["Start: ben joins", "eva shares a screen"], [0, 6]),
      (4, 24, ["Start", "eva shares a screen", "ben leaves"], [0, 6, 23]),
    ] as [(Double, Double, [String], [Int])])
  func wordsBoundChapters(first: Double, last: Double, titles: [String], starts: [Int]) throws {
    func time(_ seconds: Double) -> MediaTime { MediaTime(nanoseconds: Int64(seconds * 1e9)) }
    var plan = try plan(Self.people)
    let id = try #require(plan.participants.first).id
    plan.turns = [(first, first + 1), (last - 1, last)].map {
      Plan.Turn(participant: id, interval: TimeRange(start: time($0), end: time($1)))
    }
    let chapters = plan.chapters()
    #expect(chapters.map(\.title) == titles)
    #expect(chapters.map(\.start) == starts.map { MediaTime(seconds: $0) })
    // Words in a cut part do not count.
    plan.cut = FrameSelection([0..<5, 35..<400])
    plan.turns.insert(
      Plan.Turn(participant: id, interval: TimeRange(start: time(1), end: time(2))), at: 0)
    #expect(plan.chapters().first?.title == "Start")
  }

  @Test func simultaneousArrivalsAreOneChapter() throws {
    let people = (0..<9).map { index in
      "\n  - { id: p\(index), tracks: [ { file: half.mkv, start: 1\(index) } ] }"
    }.joined()
    let ada = "participants:\n  - { id: ada, tracks: [ { file: whole.mkv } ] }"
    let chapters = try plan(ada + people).output.chapters
    let titles = ["Start", "p0, p1 and 7 more join", "p0, p1 and 7 more leave"]
    #expect(chapters.map(\.title) == titles)
    #expect(chapters.map(\.start) == [0, 10, 30].map { MediaTime(seconds: $0) })
  }

  @Test func layoutChangesAreNoChapters() throws {
    let events = "\nevents: [ { at: 4, layout: speaker }, { at: 30, layout: grid } ]"
    let session = """
      participants:
        - { id: ada, tracks: [ { file: whole.mkv } ] }
        - { id: ben, tracks: [ { file: half.mkv, start: 3 } ] }
        - { id: eva, tracks: [ { file: half.mkv, start: 4 } ] }
      """
    let chapters = try plan(session + events).output.chapters
    #expect(
      chapters.map(\.title) == ["Start: ben and eva join", "ben and eva leave"])
  }

  @Test func hiddenPeopleAreHeardButHaveNoTile() throws {
    let plan = try plan(Self.people) { $0.rendition.hidden = ["eva"] }
    #expect(plan.participants.map(\.name) == ["ada", "ben", "eva"])
    #expect(Set(plan.slots.compactMap { $0.participant }).count == 2)
    #expect(!plan.slots.contains { $0.kind == .screen })
    let error = #expect(throws: RenderError.self) {
      _ = try self.plan(Self.people) { $0.rendition.hidden = ["ada", "ben", "eva"] }
    }
    #expect(error?.kind == .usage && error?.commandLine.contains("--hide") == true)
    let unknown = #expect(throws: RenderError.self) {
      _ = try self.plan(Self.people) { $0.rendition.hidden = ["eve"] }
    }
    #expect(unknown?.commandLine == #"--hide "eve" matches no participant: did you mean eva?"#)
  }

  @Test func tilesWithoutACameraCanBeLeftOut() throws {
    let session = """
      participants:
        - { id: ada, tracks: [ { file: whole.mkv } ] }
        - { id: ben, tracks: [ { file: half.mkv } ] }
        - { id: eva, tracks: [ { file: voice.wav, kind: microphone } ] }
      events:
        - { at: 5, participant: ada, camera: off }
        - { at: 15, participant: ada, camera: on }
        - { at: 20, participant: ada, camera: off }
        - { at: 22, participant: ada, camera: on }
      """
    try Tool.ffmpeg(["-f", "lavfi", "-i", "sine=d=40", folder.path("voice.wav")])
    let all = try plan(session)
    let some = try plan(session) {
      $0.rendition.tiles = .cameras
    }
    func people(_ plan: Plan, _ seconds: Int) -> [Int] {
      plan.attributes(in: 10 * seconds).map(\.id).sorted()
    }
    #expect(people(all, 10) == [0, 1, 2])
    #expect(people(some, 2) == [0, 1] && people(some, 10) == [1])
    #expect(people(some, 18) == [0, 1] && people(some, 21).contains(0))
    #expect(some.voices.count == 1)
  }

  /// A connection is lost for 3 s; then the camera is off for 3 s.
  @Test func aReconnectDoesNotBlinkToTheCard() throws {
    let session = """
      participants:
        - { id: ada, tracks: [ { file: whole.mkv } ] }
        - { id: ben, tracks: [ { file: half.mkv }, { file: short.mkv, start: 23 } ] }
      """
    func contents(_ events: String = "", hold: Int = 5) throws -> [TileTimeline.Content] {
      let made = try plan(session + events) { $0.rendition.freezeAfter = MediaTime(seconds: hold) }
      return made.slots[1].contents.all.map(\.value)
    }
    func isCard(_ content: TileTimeline.Content) -> Bool {
      if case .card = content { true } else { false }
    }
    #expect(try contents().map(isCard) == [false, false])
    #expect(try contents(hold: 2).map(isCard) == [false, true, false])
    let off = """

      events:
        - { at: 20, participant: ben, camera: off }
        - { at: 23, participant: ben, camera: on }
      """
    #expect(try contents(off).map(isCard) == [false, true, false])
    // A picture that was already replaced by a card is not held on.
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x36:r=10:d=20", "-vf", "select='lt(t,5)+gt(t,13)'",
      "-fps_mode", "passthrough", "-c:v", "libx264", "-preset", "ultrafast",
      folder.path("halt.mkv"),
    ])
    let halted = try plan(
      "participants: [ { id: ada, tracks: [ { file: halt.mkv, kind: camera } ] } ]")
    #expect(halted.slots[0].contents.all.map(\.value).map(isCard) == [false, true, false])
    #expect((95...105).contains(halted.slots[0].contents.all[1].frame))
    // The held picture is the last one, for any start of rendering.
    let held = try plan(session)
    let whole = Rendered(held, frames: 190..<225)
    #expect(Rendered(held, frames: 215..<216).digests[215] == whole.digests[215])
    #expect(held.attributes(in: 215).count == 2)
  }

  @Test func aRecordingsRegionsDecideTheCanvasAndTheNotes() throws {
    let layout = """
      layout: { regions: { all: { video_sources: [ada], width: 640, height: 360 } } }

      """
    let plan = try plan(layout + Self.people)
    let input = try ImportedCall.open([folder.path("session.yaml")], unpackFolder: folder.path("w"))
    #expect(try input.layoutResolution == Size(width: 640, height: 360))
    #expect(plan.notes.contains { $0.hasPrefix("ben and eva are never seen") })
  }

  @Test func captionsBeginOnTheFrameThatShowsTheirTime() throws {
    let times = [(1_040, 2_060), (3_050, 3_060), (4_949, 5_000)].map { from, to in
      CaptionCue(
        from: MediaTime(nanoseconds: Int64(from) * 1_000_000),
        to: MediaTime(nanoseconds: Int64(to) * 1_000_000), lines: ["\(from)"])
    }
    let plan = try plan(Self.people) { $0.rendition.overlays.captions = times }
    func frames(_ overlay: CanvasOverlay) -> [Int] {
      (0..<400).filter { overlay.share(at: plan.output.video.frameRate.time(ofFrame: $0)) > 0 }
    }
    // A picture with that time is shown from the nearest frame on.
    let seen = plan.look.overlays.map(frames)
    #expect(seen == [Array(10..<21), [31], [49]])
  }

  @Test func platesAreOnTheTilesBesideAScreen() throws {
    let plan = try plan(Self.people) {
      $0.rendition.output.video.size = PixelSize(width: 1280, height: 720)
      $0.rendition.size = nil
    }
    let tiles = plan.attributes(in: 80).filter { !$0.traits.contains(.large) }
    #expect(tiles.count == 3)
    for tile in tiles {
      let size = PixelSize(width: Int(tile.frame.width), height: Int(tile.frame.height))
      let text = PlanDrawings.PlateText(
        name: try #require(plan.slots[tile.id].decorations[80]?.name), isScreen: false)
      #expect(size.width >= 150 && plan.look.plates[text]?.groups(for: size).isEmpty == false)
    }
  }
}
