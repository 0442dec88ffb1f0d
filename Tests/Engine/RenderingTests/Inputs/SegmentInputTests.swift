import Foundation
import PlanningSupport
import TesseraCaptions
import TesseraCodecs
import TesseraLayout
import TesseraLettering
import TesseraPixels
import TesseraRecordings
import TesseraRequest
import TesseraSystem
import TesseraTimeline
import TestSupport
import Testing

@testable import TesseraJobs
@testable import TesseraPlan
@testable import TesseraPlanning
@testable import TesseraRendering

/// A segment's input contains exactly what its canvases depend on.
@Suite(.timed) struct SegmentInputTests {
  private static let call = Result { () throws -> (InputCall, Plan, [Range<Int>]) in
    let call = try InputCall()
    let plan = try call.plan(try call.request())
    return (call, plan, plan.encodedSegments)
  }

  private static func isOther(_ plan: Plan) throws -> [Bool] {
    let (_, base, segments) = try call.get()
    return zip(base.inputs(segments), plan.inputs(segments)).map { $0 != $1 }
  }

  @Test func equalPlansGiveEqualInputs() throws {
    let (call, plan, segments) = try Self.call.get()
    #expect(segments.count == 2)
    #expect(try Self.isOther(plan) == [false, false])
    #expect(try Self.isOther(try call.plan(try call.request())) == [false, false])
  }

  @Test func undrawnPropertiesChangeNoInput() throws {
    let (_, base, segments) = try Self.call.get()
    var plan = base
    plan.output.title = "Another"
    plan.output.chapters = []
    plan.output.captions = []
    plan.output.audio.bitRate += 8000
    plan.notes.append("a note")
    plan.turns = []
    plan.participants[0].name = "Nobody"
    for index in plan.voices.indices { plan.voices[index].isSpeech.toggle() }
    #expect(try Self.isOther(plan) == [false, false])
    #expect(RenditionPlan(plan).digests == RenditionPlan(base).digests)
    #expect(segments.count == 2)
  }

  @Test func cropFocusChangesAllInputs() throws {
    var plan = try Self.call.get().1
    plan.slots[0].framing = ValueTimeline(Framing(Point(x: 0.2, y: 0.3)))
    #expect(try Self.isOther(plan) == [true, true])
  }

  @Test func theBytesOfAStillPictureCount() throws {
    let call = try InputCall()
    let plan = try call.plan(try call.request())
    let segments = plan.encodedSegments
    try call.still("blue")
    let other = try call.plan(try call.request())
    #expect(zip(plan.inputs(segments), other.inputs(segments)).allSatisfy { $0 != $1 })
  }

  /// A change before the segment counts for as long as it fades. After that, the time of the change
  /// does not count.
  @Test func historyGoesBackAsFarAsTheLongestFade() throws {
    let (_, plan, _) = try Self.call.get()
    let slot = try #require(plan.slots.firstIndex { $0.participant?.rawValue == "ada" })
    let change = try #require(
      plan.slots[slot].contents.all.first { if case .card = $0.value { true } else { false } })
    #expect(plan.output.contentFade == 5 && plan.output.history == 5)
    func isOther(_ frames: Range<Int>, _ body: (inout TileTimeline) -> Void) -> Bool {
      var other = plan
      body(&other.slots[slot])
      return plan.inputs([frames]) != other.inputs([frames])
    }
    func moved(by distance: Int, _ slot: inout TileTimeline) {
      var contents = ValueTimeline<TileTimeline.Content>()
      for old in slot.contents.all {
        contents.append(old.value, from: old == change ? old.frame + distance : old.frame)
      }
      slot.contents = contents
    }
    for distance in 0..<8 {
      let frames = (change.frame + distance)..<(change.frame + 20)
      let isSeen = distance < 5
      #expect(isOther(frames) { moved(by: -1, &$0) } == isSeen, "\(distance) frames later")
      #expect(isOther(frames) { $0.presence = [change.frame..<110] } == isSeen, "\(distance)")
    }
    #expect(isOther(change.frame - 9..<change.frame) { moved(by: 1, &$0) } == false)
  }

  /// The fading picture was decoded before the rendered frames.
  @Test func aFadeNeedsAPictureThatIsNoLongerShown() throws {
    let (_, plan, _) = try Self.call.get()
    let slot = try #require(plan.slots.first { $0.participant?.rawValue == "ada" })
    let change = try #require(
      slot.contents.all.first { if case .card = $0.value { true } else { false } })
    let whole = Rendered(plan, frames: change.frame - 10..<change.frame + 10).digests
    for first in [change.frame, change.frame + 1, change.frame + 4] {
      let part = Rendered(plan, frames: first..<first + 3).digests
      for frame in first..<first + 3 { #expect(part[frame] == whole[frame], "\(frame)") }
    }
    let single = Rendered(plan, FrameSelection([change.frame - 8, change.frame + 2])).digests
    #expect(single[change.frame + 2] == whole[change.frame + 2])
  }

  /// Every event is ten seconds later.
  @Test func timesAreRelative() throws {
    let (call, plan, _) = try Self.call.get()
    var recording = call.recording
    for index in recording.participants.indices {
      for track in recording.participants[index].tracks.indices {
        recording.participants[index].tracks[track].start = MediaTime(seconds: 10)
        recording.participants[index].tracks[track].stop?.nanoseconds += 10_000_000_000
      }
    }
    for index in recording.events.indices {
      recording.events[index].time.nanoseconds += 10_000_000_000
    }
    var request = try call.request(recording)
    request.rendition.overlays.clock = nil
    request.rendition.overlays.captions[0].from.nanoseconds += 10_000_000_000
    request.rendition.overlays.captions[0].to.nanoseconds += 10_000_000_000
    let later = try call.plan(request)
    var first = plan
    first.look.clock = nil
    let frames = 20..<100
    #expect(first.inputs([frames]) == later.inputs([frames.moved(by: 50)]))
    #expect(first.inputs([frames]) != plan.inputs([frames]))
    #expect(plan.inputs([20..<60]) != plan.inputs([21..<61]))
  }
}
