import TesseraLayout
import TesseraTimeline

/// Who is there when, in the layout's terms.
struct Attendance {
  /// Everyone, in join order; who comes in the same frame stands in the order of the inputs.
  let items: [LayoutItem]
  /// The frames in which each item is there, by its identifier.
  private let presences: [Range<Int>]
  private let frameRate: FrameRate

  /// Recordings of one call hardly ever begin and end together to the frame. Who comes or leaves
  /// this close to the beginning or end of the timeline is there from the beginning or to the end.
  private static let settling = MediaTime(nanoseconds: 500_000_000)

  /// The attendance of `participants` on a timeline of `frameCount` frames.
  init(
    _ participants: [Plan.Participant], _ people: People, frameRate: FrameRate, frameCount: Int
  ) {
    let settling = frameRate.firstFrame(showing: Self.settling)
    let presences = participants.map { participant in
      let presence = participant.presence
      let first = presence.lowerBound < settling ? 0 : presence.lowerBound
      let isLast = frameCount - presence.upperBound < settling
      return first..<max(first + 1, isLast ? frameCount : presence.upperBound)
    }
    let joined = presences.indices.sorted {
      (presences[$0].lowerBound, $0) < (presences[$1].lowerBound, $1)
    }
    items = joined.map { index in
      LayoutItem(
        id: index, sources: people.names[index],
        aspectRatio: participants[index].pictures?.aspectRatio, isLocal: index == people.local,
        isFocused: index == people.focus,
        presence: TimeInterval(
          start: frameRate.time(ofFrame: presences[index].lowerBound),
          end: frameRate.time(ofFrame: presences[index].upperBound)))
    }
    self.presences = presences
    self.frameRate = frameRate
  }

  /// Who is there at the beginning and from every frame before `frameCount` on in which somebody
  /// comes or leaves.
  func changes(before frameCount: Int) -> [LayoutChange] {
    let frames = Set(presences.flatMap { [$0.lowerBound, $0.upperBound] } + [0])
    return frames.filter { $0 < frameCount }.sorted().map { frame in
      LayoutChange(
        time: frameRate.time(ofFrame: frame),
        items: items.filter { presences[$0.id].contains(frame) })
    }
  }
}
