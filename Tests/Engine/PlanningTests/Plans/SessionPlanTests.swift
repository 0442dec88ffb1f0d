import Foundation
import PlanningSupport
import TesseraCodecs
import TesseraDocuments
import TesseraJobs
import TesseraLayout
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

/// A recording and its session file give equal plans.
@Suite(.timed) struct SessionPlanTests {
  private static func plan(_ input: ImportedCall) throws -> Plan {
    let video = VideoEncoderSettings(
      size: PixelSize(width: 640, height: 360), frameRate: .thirty)
    var request = RenditionRequest(input, output: OutputFormat(video: video))
    request.call.wantsTurns = true
    return try request.plan()
  }

  /// Returns the slots, with the paths of images in their shortest form.
  private static func slots(_ plan: Plan) -> [TileTimeline] {
    plan.slots.map { slot in
      var (slot, contents) = (slot, ValueTimeline<TileTimeline.Content>())
      for change in slot.contents.all {
        var content = change.value
        if case .still(let path) = content {
          content = .still(URL(fileURLWithPath: path).standardizedFileURL.path)
        }
        contents.append(content, from: change.frame)
      }
      slot.contents = contents
      return slot
    }
  }

  @Test(arguments: RecordingFolders.formats.filter { !$0.hasSuffix(".zip") }, ["yaml", "json"])
  func sessionAndRecordingGiveEqualPlans(format: String, ending: String) throws {
    let folder = try TemporaryFolder()
    let source = try ImportedCall.open(
      [try RecordingFolders.path(format)], unpackFolder: folder.path("w"))
    let path = folder.path("session.\(ending)")
    let document = source.session(at: path)
    let text = ending == "json" ? document.json(isIndented: true) : document.yaml
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let session = try ImportedCall.open([path], unpackFolder: folder.path("w"))
    let (planned, again) = (try Self.plan(source), try Self.plan(session))
    #expect(Self.slots(again) == Self.slots(planned))
    #expect(again.scenes == planned.scenes)
    #expect(again.turns == planned.turns)
    #expect(again.lines == planned.lines)
    #expect(again.frameCount == planned.frameCount)
    #expect(again.output == planned.output)
    #expect(again.participants.map(\.name) == planned.participants.map(\.name))
    #expect(again.voices.map(\.source.interval) == planned.voices.map(\.source.interval))
    #expect(again.tracks.map(\.clock) == planned.tracks.map(\.clock))
  }

  /// A link to the folder of a session file does not change the meaning of its paths.
  @Test func pathsResolveThroughLinkedFolders() throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("a/b/c"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("a/b/c"))
    let source = try ImportedCall.open(
      [try RecordingFolders.path("vonage")], unpackFolder: folder.path("w"))
    let path = folder.path("link/session.yaml")
    try Data(source.session(at: path).yaml.utf8).write(to: URL(fileURLWithPath: path))
    let session = try ImportedCall.open([path], unpackFolder: folder.path("w"))
    #expect(session.missingFiles.isEmpty && session.files.count == source.files.count)
  }
}
