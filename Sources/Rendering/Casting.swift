import Layout
import Timeline

/// Who has to be placed when, in the layout's terms.
struct Casting {
  /// Everyone, in the order of the inputs.
  let items: [LayoutItem]
  /// The frames in which each of them is there.
  let presences: [Range<Int>]
  private let frameRate: FrameRate

  /// All of `participants`.
  init(_ participants: [Plan.Participant], _ people: People, frameRate: FrameRate) {
    self.frameRate = frameRate
    presences = participants.map(\.presence)
    items = participants.enumerated().map { index, participant in
      LayoutItem(
        id: index, sources: people.names[index], aspectRatio: participant.pictures?.aspectRatio,
        isLocal: index == people.local, isFocused: index == people.focus,
        presence: TimeInterval(
          start: frameRate.time(ofFrame: participant.presence.lowerBound),
          end: frameRate.time(ofFrame: participant.presence.upperBound)))
    }
  }

  /// Who is there, in join order, at the beginning and whenever somebody comes or leaves before
  /// `frameCount`.
  func changes(before frameCount: Int) -> [LayoutChange] {
    let joined = items.indices.sorted {
      (presences[$0].lowerBound, $0) < (presences[$1].lowerBound, $1)
    }
    let frames = Set(presences.flatMap { [$0.lowerBound, $0.upperBound] } + [0])
    return frames.filter { $0 < frameCount }.sorted().map { frame in
      LayoutChange(
        time: frameRate.time(ofFrame: frame),
        items: joined.filter { presences[$0].contains(frame) }.map { items[$0] })
    }
  }
}
