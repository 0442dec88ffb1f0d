import Foundation
import FoundationXML
import PlanningSupport
import TesseraCodecs
import TesseraExport
import TesseraLayout
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraRecordings
import TesseraRendering
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// A call as an editor's project.
@Suite("Projects of editors", .timed) struct EditorProjectTests {
  private static func plan(
    _ format: String, _ change: (inout Rendition) -> Void = { _ in }
  ) throws -> Plan {
    let folder = try TemporaryFolder()
    let input = try ImportedCall.open(
      [try RecordingFolders.path(format)], unpackFolder: folder.path("w"))
    let video = VideoEncoderSettings(size: PixelSize(width: 640, height: 360), frameRate: .thirty)
    var request = RenditionRequest(input, output: OutputFormat(video: video))
    request.call.wantsTurns = true
    change(&request.rendition)
    return try request.plan()
  }

  /// Returns the time at which a picture track's clip starts in its file, according to the plan.
  private static func expected(_ clip: EditorProject.Clip, _ plan: Plan, _ path: String) -> Double?
  {
    let frame = plan.cut[clip.frames.lowerBound]
    let time = plan.output.video.frameRate.time(ofFrame: frame).seconds
    let track = plan.tracks.first { $0.source.path == path && $0.frames.contains(frame) }
    return track.map {
      $0.source.track.clock.start.seconds + (time - $0.clock.start.seconds) / $0.clock.rate.value
    }
  }

  @Test(
    "Every file is at its position, and clips show the plan's pictures", arguments: [true, false])
  func places(isCut: Bool) throws {
    let plan = try Self.plan("vonage") {
      if isCut {
        $0.cut = KeptRanges(
          cutting: [TimeRange(start: MediaTime(seconds: 2), end: MediaTime(seconds: 3))])
      }
    }
    let project = EditorProject(plan, name: "standup")
    #expect(project.frameCount == plan.cut.count && project.frameCount < (isCut ? 200 : 400))
    let pictures = project.tracks.filter { $0.kind == .pictures }
    #expect(pictures.map(\.name) == ["Ada", "Ben", "Screen", "Programme"] || pictures.count == 4)
    for track in pictures {
      #expect(
        zip(track.clips, track.clips.dropFirst()).allSatisfy {
          $0.frames.upperBound <= $1.frames.lowerBound
        })
      for clip in track.clips {
        let path = project.media[clip.media].path
        let paths = plan.tracks.map(\.source.path).filter { path.hasSuffix($0.suffix(12)) }
        let expected = paths.compactMap { Self.expected(clip, plan, $0) }
        let isThere = expected.contains { abs($0 - clip.source.seconds) < 1.0 / 60 }
        #expect(isThere, "\(path) \(clip) \(expected)")
      }
    }
    let programme = try #require(project.tracks.last)
    #expect(programme.isProgramme)
    // The programme has no gap while any participant has pictures.
    let shown = programme.clips.reduce(0) { $0 + $1.frames.count }
    let there = Set(plan.tracks.flatMap { plan.cut.output(of: $0.frames) }).count
    #expect(shown == there, "\(programme.clips)")
    let sounds = project.tracks.filter { $0.kind == .sound }.flatMap(\.clips)
    #expect(sounds.map(\.frames.count).reduce(0, +) > 0)
  }

  @Test("A shared screen is the programme while it is shared")
  func screen() throws {
    let project = EditorProject(try Self.plan("vonage"), name: "standup")
    let programme = try #require(project.tracks.last)
    let clip = try #require(programme.clips.first { $0.frames.contains(100) })
    #expect(project.media[clip.media].path.hasSuffix("s-screen.webm"))
  }

  @Test(
    "Names of all characters give well-formed XML",
    arguments: [EditorProject.Format.mlt, .kdenlive, .xml])
  func names(format: EditorProject.Format) throws {
    var project = EditorProject(try Self.plan("files"), name: "a <call> & \"more\"")
    project.tracks[0].name = "<Ada> & \"co\""
    let text = project.text(format)
    let parser = XMLParser(data: Data(text.utf8))
    #expect(parser.parse(), "\(text)")
  }

  @Test("OpenTimelineIO has schemas that its readers know")
  func otio() throws {
    let text = EditorProject(try Self.plan("vonage"), name: "standup").text(.otio)
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(value?["OTIO_SCHEMA"] as? String == "Timeline.1")
    let stack = try #require(value?["tracks"] as? [String: Any])
    let tracks = try #require(stack["children"] as? [[String: Any]])
    #expect(tracks.allSatisfy { $0["OTIO_SCHEMA"] as? String == "Track.1" })
    #expect(tracks.last?["name"] as? String == "Programme")
  }

  @Test("Shots from a file are shown, and a plan's shots can be written to a file")
  func shots() throws {
    let input = try ImportedCall.open([SourceTree.path("Fixtures/call/session.yaml")])
    func plan(_ shots: [ShotStart]?) throws -> Plan {
      var directed = input
      directed.recording.shots = shots ?? []
      let video = VideoEncoderSettings(
        size: PixelSize(width: 640, height: 360), frameRate: .thirty)
      var request = RenditionRequest(directed, output: OutputFormat(video: video))
      request.rendition.layout = CutsLayout()
      return try request.plan()
    }
    let found = try plan(nil)
    #expect(found.shots.count > 4 && found.shots.first?.time == .zero, "\(found.shots)")
    let same = try plan(input.directed(as: found).recording.shots)
    #expect(same.shots == found.shots)
    let times = (0..<120).map { MediaTime(nanoseconds: $0 * 200_000_000) }
    for time in times {
      #expect(same.scenes.attributes(at: time) == found.scenes.attributes(at: time))
    }
    let ada = try #require(found.slots.first { $0.participant?.rawValue == "ada" })
    let other = try plan([ShotStart(.zero, .person("ada"))])
    #expect(times.allSatisfy { other.scenes.attributes(at: $0).map(\.id) == [ada.id] })
  }

  @Test("Conformed files start with the call, and have no drift")
  func conformed() throws {
    let folder = try TemporaryFolder()
    let input = try ImportedCall.open(
      [try RecordingFolders.path("vonage")], unpackFolder: folder.path("w"))
    let video = VideoEncoderSettings(size: PixelSize(width: 320, height: 180), frameRate: .thirty)
    var request = RenditionRequest(input, output: OutputFormat(video: video))
    request.rendition.cut = KeptRanges(
      cutting: [TimeRange(start: MediaTime(seconds: 2), end: MediaTime(seconds: 3))])
    request.rendition.layout = CutsLayout()
    var plan = try request.plan()
    plan.tracks[0].clock.rate = Ratio(1_000_100, 1_000_000)
    let conform = ConformExport(plan, request.rendition, in: folder.path("call.media"))
    let project = EditorProject(plan, name: "a", conformed: conform)
    #expect(project.notes.isEmpty && project.media.count > 3)
    for clip in project.tracks.flatMap(\.clips) {
      let frame = plan.cut[clip.frames.lowerBound]
      #expect(clip.source == ExactTime(video.frameRate.time(ofFrame: frame)) && clip.rate == .one)
    }
    let report = try conform.render(
      ConformExport.bare(request.call), RenderSettings(), PixelKernels(), Cancellation(),
      progress: { _ in })
    #expect(report.allReports.count == conform.pictures.count + 1)
    for media in project.media {
      let seconds = try Tool.run(
        "/usr/bin/ffprobe",
        ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", media.path])
      let length = Double(seconds.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
      #expect(abs(length - media.duration.seconds) < 0.05, "\(media.path)")
    }
  }

  @Test("A fast clock is noted, with the resulting offset")
  func drift() throws {
    var plan = try Self.plan("vonage")
    plan.tracks[0].clock.rate = Ratio(1_000_100, 1_000_000)
    let project = EditorProject(plan, name: "a")
    #expect(
      project.notes.map(\.commandLine).contains {
        $0.contains("100 ppm fast") && $0.contains("360 ms")
      })
    // The file's sound, whose clock is measured to be the same, adds no second note.
    let path = plan.tracks[0].source.path
    for index in plan.voices.indices where plan.voices[index].source.path == path {
      plan.voices[index].source.rate = Ratio(1_000_101, 1_000_000)
    }
    #expect(plan.voices.contains { $0.source.path == path })
    #expect(
      EditorProject(plan, name: "a").notes.count { $0.commandLine.contains("its clock runs") } == 1)
  }
}
