import TesseraLayout
import TesseraMedia
import TesseraTimeline

/// Decides when a person's slot is there and what it shows.
struct SlotPlanner {
  let frameRate: FrameRate
  /// The number of frames of the timeline.
  let frameCount: Int

  /// Recordings of one call hardly ever begin and end together to the frame. Who comes or leaves
  /// this close to the beginning or end of the timeline is there from the beginning or to the end,
  /// and pictures that begin or end this much later or earlier than the sound leave no room for a
  /// card.
  static let settling = MediaTime(nanoseconds: 500_000_000)
  /// Whoever is away for less keeps the tile.
  static let shortestAbsence = MediaTime(seconds: 5)

  private var settling: Int { frameRate.firstFrame(showing: Self.settling) }
  private var shortestAbsence: Int { frameRate.firstFrame(showing: Self.shortestAbsence) }

  /// The slot with number `id` for the camera of `person`.
  func camera(of person: Person, id: SlotID) -> Slot {
    var slot = Slot(id: id, participant: person.id, kind: .camera)
    slot.presence = presence(of: person)
    slot.contents = contents(of: person, presence: slot.presence)
    return slot
  }

  /// The frames of `interval`, at least one.
  func frames(_ interval: TesseraTimeline.TimeInterval) -> Range<Int> {
    let first = max(0, frameRate.firstFrame(showing: interval.start))
    return first..<max(first + 1, frameRate.firstFrame(showing: interval.end))
  }

  /// When the person is there: while there is something to see or hear, short absences included;
  /// all along where there is neither, as something of it is lost.
  private func presence(of person: Person) -> [Range<Int>] {
    let takes = person.camera.map(\.interval) + person.voices.map(\.interval)
    let ranges = takes.map(frames).merged
    guard !ranges.isEmpty else { return [0..<frameCount] }
    var result: [Range<Int>] = []
    for range in ranges {
      if let last = result.last, range.lowerBound - last.upperBound < shortestAbsence {
        result[result.count - 1] = last.lowerBound..<range.upperBound
      } else {
        result.append(range)
      }
    }
    return result.map { range in
      let first = range.lowerBound < settling ? 0 : range.lowerBound
      let isLast = frameCount - range.upperBound < settling
      return first..<max(first + 1, isLast ? frameCount : range.upperBound)
    }.merged
  }

  /// What the slot shows: the newest track that has something to show, else the person's card;
  /// where the card would stand for a moment only, the picture that was there before, or nothing.
  private func contents(of person: Person, presence: [Range<Int>]) -> Changes<Slot.Content> {
    let card = Slot.Content.card(
      person.camera.isEmpty && person.voices.isEmpty ? .loss(person.id) : .person(person.id))
    var contents = Changes<Slot.Content>(.nothing)
    for range in presence {
      let borders = person.camera.flatMap {
        [$0.content.frames.lowerBound, $0.content.frames.upperBound]
      }
      let cuts = ([range.lowerBound, range.upperBound] + borders.filter(range.contains)).sorted()
      for (start, end) in zip(cuts, cuts.dropFirst()) where start < end {
        if let track = person.camera.last(where: { $0.content.frames.contains(start) }) {
          contents.append(.track(track.content.id), from: start)
        } else if end - start >= settling {
          contents.append(card, from: start)
        } else if start == range.lowerBound {
          contents.append(.nothing, from: start)
        }
      }
    }
    return contents
  }
}
