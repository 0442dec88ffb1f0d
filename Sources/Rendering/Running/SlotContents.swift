import TesseraCompositor
import TesseraPixels

/// What each slot shows in the frame being composed.
struct SlotContents {
  /// The contents, by the slots' places in the plan.
  private(set) var contents: FrameSet
  private let slots: [Slot]
  private let placeholder: TileContent
  /// The tracks' places, by their identifiers.
  private let places: [TrackID: Int]
  private var pictures: [Picture?]
  private var lostFrom: [Int]

  /// The contents of `plan`'s slots before the first picture.
  init(_ plan: Plan) {
    slots = plan.slots
    placeholder = .fill(plan.output.placeholder)
    contents = FrameSet(count: slots.count)
    places = Dictionary(
      uniqueKeysWithValues: plan.tracks.enumerated().map { ($1.id, $0) })
    pictures = Array(repeating: nil, count: plan.tracks.count)
    lostFrom = Array(repeating: .max, count: plan.tracks.count)
  }

  /// Notes the picture that track number `track` shows from now on.
  mutating func show(_ picture: Picture, for track: Int) { pictures[track] = picture }

  /// Notes that track number `track` shows nothing from `frame` on.
  mutating func lose(_ track: Int, from frame: Int) { lostFrom[track] = frame }

  /// Brings ``contents`` to what `frame` shows.
  mutating func update(for frame: Int) {
    for (index, slot) in slots.enumerated() {
      contents.contents[index] = content(slot.contents[frame] ?? .nothing, frame)
    }
  }

  private func content(_ content: Slot.Content, _ frame: Int) -> TileContent {
    switch content {
    case .nothing: return .empty
    case .card: return placeholder
    case .track(let id):
      guard let place = places[id], lostFrom[place] > frame else { return placeholder }
      return pictures[place].map { .picture($0) } ?? .empty
    }
  }
}
