import TesseraCodecs
import TesseraLayout
import TesseraLettering
import TesseraPixels
import TesseraPlan
import TesseraRecordings
import TesseraTimeline

extension Plan {
  /// Adds all participants with their tracks, voices and slots.
  mutating func add(
    _ people: [PlannedParticipant], _ slots: [TileTimeline],
    local: TesseraRecordings.Participant.ID?
  ) {
    for person in people {
      var participant = Participant(
        id: person.id, name: person.participant.name, files: person.files)
      participant.isLocal = person.participant.id == local
      participants.append(participant)
      for var track in person.lanes.flatMap({ $0.takes.map(\.track) }) {
        track.source.background = output.style.theme.card.color
        tracks.append(track)
      }
      voices += person.voices
    }
    self.slots = slots
    addOverflow()
  }

  /// Adds the overflow slot, whose tile stands for everyone without a tile.
  private mutating func addOverflow() {
    var slot = TileTimeline(id: LayoutItem.overflowID, participant: nil, kind: .overflow)
    let owners = Dictionary(uniqueKeysWithValues: slots.map { ($0.id, $0.participant) })
    slot.contents = ValueTimeline(.card(.several([])))
    overflow = ValueTimeline([])
    for hidden in scenes.hidden {
      let frame = output.video.frameRate.firstFrame(at: hidden.start)
      overflow.append(hidden.items, from: frame)
      let people = hidden.items.compactMap { owners[$0] ?? nil }
      slot.contents.append(.card(.several(people)), from: frame)
    }
    slots.append(slot)
  }
}
