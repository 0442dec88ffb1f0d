import TesseraCodecs
import TesseraLayout
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraTimeline

/// Creates slots for all cameras, screens and still images, and collects the facts that layouts
/// need about them.
struct SlotBuilder {
  let rendition: Rendition
  let events: FrameIndexedEvents
  let frameCount: Int
  var speech: ActiveSpeakerPlanner.Speech
  /// The local participant; `nil` if it is unknown.
  let local: TesseraRecordings.Participant.ID?
  /// The participant that is always visible; `nil` for none.
  let kept: TesseraRecordings.Participant.ID?
  /// The participants that have no tile.
  let hidden: Set<TesseraRecordings.Participant.ID>

  private var rate: FrameRate { rendition.output.video.frameRate }

  /// Returns the seats of `people`, in their order.
  func seats(of people: [PlannedParticipant]) -> [ScenePlanner.Seat] {
    let planner = SlotPlanner(
      frameRate: rate, frameCount: frameCount, events: events, tiles: rendition.tiles)
    var seats: [ScenePlanner.Seat] = []
    for person in people where !hidden.contains(person.participant.id) {
      for lane in person.lanes {
        var slot = planner.slot(lane, of: person, id: seats.count)
        let focus = rendition.fitFocus.first { person.names.contains($0.person) }?.point
        if let focus { slot.framing = ValueTimeline(Framing(focus)) }
        if lane.kind == .camera, rendition.output.style.highlightsSpeaker, people.count > 1 {
          slot.speak(speaking(person), before: frameCount)
        }
        seats.append(
          ScenePlanner.Seat(
            slot: slot, names: lane.names.isEmpty ? person.names : lane.names,
            classes: lane.classes, trackIDs: lane.trackIDs,
            aspectRatio: lane.takes.first?.track.aspectRatio,
            isLocal: person.participant.id == local && lane.kind == .camera,
            isKept: person.participant.id == kept && lane.kind == .camera,
            takes: lane.takes, isFocused: person.isFocused && lane.kind == .camera))
      }
    }
    return seats
  }

  /// Returns the frames in which the person speaks, at least one for each stretch of speech.
  private func speaking(_ person: PlannedParticipant) -> [Range<Int>] {
    (speech.speaking[person.id] ?? []).map(rate.frames).merged
  }
}
