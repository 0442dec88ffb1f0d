import TesseraCodecs
import TesseraLayout
import TesseraPixels
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraPlanning

/// The stages of planning, on a call of slides, which needs no files: Ada's from 0 to 10 s, Ben's
/// from 4 to 20 s.
@Suite("Stages of planning", .timed) struct FrameSceneBuilderTests {
  private static func slides(_ name: String, _ from: Int, _ to: Int) -> Participant {
    var track = Track(
      id: name, file: "\(name).png", kind: .still, start: MediaTime(seconds: from))
    track.stop = MediaTime(seconds: to)
    return Participant(id: name, name: name, tracks: [track])
  }

  private static func request(
    _ change: (inout CallRequest, inout Rendition) -> Void = { _, _ in }
  ) -> PlanningInput {
    let recording = Recording(participants: [slides("Ada", 0, 10), slides("Ben", 4, 20)])
    var call = CallRequest(ImportedCall(recording))
    let video = VideoEncoderSettings(
      size: PixelSize(width: 160, height: 90), frameRate: FrameRate("10") ?? .thirty)
    var rendition = Rendition(output: OutputFormat(video: video))
    change(&call, &rendition)
    let cancellation = Cancellation()
    return PlanningInput(
      call: call, rendition: rendition, input: call.input, probes: [:],
      findings: SoundAnalysisCache(),
      analyses: VoiceAnalyses(cancellation: cancellation), cancellation: cancellation)
  }

  @Test("An offset for an unknown participant is refused when the call is opened")
  func nobody() {
    let request = Self.request { call, _ in
      call.offsets = [PersonOffset(person: "Eve", time: .zero)]
    }
    #expect(throws: RenderError.self) { try TrackPlacementPlanningStage(request) }
  }

  @Test("The call ends with its last slide, and every participant has a lane")
  func everyone() throws {
    let request = Self.request()
    let heard = try ParticipantPlanningStage(request, try TrackPlacementPlanningStage(request))
    #expect(heard.end == MediaTime(seconds: 20) && heard.frameCount == 200)
    #expect(heard.people.map(\.participant.name) == ["Ada", "Ben"])
    #expect(heard.last?.participant.name != nil)
    #expect(heard.people.allSatisfy { $0.lanes.count == 1 && $0.voices.isEmpty })
  }

  @Test("Each cut has its reason, and frames are kept up to it")
  func cut() throws {
    let request = Self.request { call, rendition in
      rendition.to = MediaTime(seconds: 15)
      call.input.recording.edits.cut = [
        EditList.EditedRange(
          from: MediaTime(seconds: 8), to: MediaTime(seconds: 9), reason: "noise")
      ]
    }
    let opened = try TrackPlacementPlanningStage(request)
    let heard = try ParticipantPlanningStage(request, opened)
    let said = try TranscriptPlanningStage(request, opened, heard)
    let cut = try CutPlanningStage(request, opened, heard, said)
    #expect(cut.cut.ranges == [0..<80, 90..<150] && cut.notes.isEmpty)
    let laidOut = try LayoutPlanningStage(request, opened, heard)
    let seated = SeatingPlanningStage(request, opened, heard, said, cut.cut, laidOut)
    let staged = try ScenePlanningStage(request, heard, cut.cut, laidOut, seated)
    let plan = Plan(
      scenes: staged.scenes, output: request.rendition.output, frameCount: heard.frameCount,
      cut: cut.cut)
    #expect(cut.removals(of: plan).map(\.reason).contains("noise"))
  }

  @Test("With a shared screen the layout follows the speaker; a grid does not")
  func layouts() throws {
    let automatic = Self.request()
    var opened = try TrackPlacementPlanningStage(automatic)
    var laidOut = try LayoutPlanningStage(
      automatic, opened, try ParticipantPlanningStage(automatic, opened))
    #expect(laidOut.layout is AutoLayout && laidOut.followsSpeaker && laidOut.changes.isEmpty)
    let grid = Self.request { $1.layout = GridLayout() }
    opened = try TrackPlacementPlanningStage(grid)
    laidOut = try LayoutPlanningStage(grid, opened, try ParticipantPlanningStage(grid, opened))
    #expect(laidOut.layout is GridLayout && !laidOut.followsSpeaker)
    #expect(laidOut.speech.turns.isEmpty && laidOut.speaking.isEmpty)
  }

  @Test("A cancelled stage throws")
  func cancellation() throws {
    let request = Self.request()
    let opened = try TrackPlacementPlanningStage(request)
    let heard = try ParticipantPlanningStage(request, opened)
    let said = try TranscriptPlanningStage(request, opened, heard)
    let cut = try CutPlanningStage(request, opened, heard, said)
    request.cancellation.cancel()
    #expect(throws: RenderError.self) { try LevelingPlanningStage(request, heard, said, cut.cut) }
  }
}
