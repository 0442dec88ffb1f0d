import TesseraCompositor
import TesseraLettering
import TesseraPixels
import TesseraPlan

/// The content of each slot in the frame being composed.
struct SlotContents {
  /// The contents, in the order of the input's slots.
  private(set) var contents: ItemContents
  private let slots: [TileTimeline]
  private let stills: [String: Picture]
  private let sprites: DrawingSprites
  private let placeholder: Color
  /// Crossfade weights, 0...255, between picture and card for each frame of a fade.
  private let shares: [UInt8]
  /// Indexes of the input's tracks by identifier.
  private let places: [TrackID: Int]

  init(_ input: SegmentInput, sprites: DrawingSprites) {
    slots = input.slots
    self.sprites = sprites
    stills = input.look.value.stills.compactMapValues { group in
      input.art.image(of: group).map { Picture($0) }
    }
    placeholder = input.output.placeholder
    shares = input.output.contentShares
    contents = ItemContents(count: slots.count)
    places = Dictionary(
      uniqueKeysWithValues: input.tracks.enumerated().map { ($1.id, $0) })
  }

  /// Updates ``contents`` for `frame`. `tracks` are the contents of the input's tracks, in order.
  mutating func update(for frame: Int, _ tracks: [TrackContent]) {
    for (index, slot) in slots.enumerated() {
      contents.contents[index] = content(of: slot, frame, tracks)
    }
  }

  private func content(of slot: TileTimeline, _ frame: Int, _ tracks: [TrackContent]) -> TileContent
  {
    guard let index = slot.contents.index(in: frame) else { return .empty }
    let change = slot.contents.all[index]
    guard let now = layer(change.value, slot, tracks) else { return .empty }
    let passed = frame - change.frame
    guard passed < shares.count, index > 0,
      slot.isPresent(around: change.frame),
      let before = layer(slot.contents.all[index - 1].value, slot, tracks),
      before.isCard != now.isCard
    else { return now.content }
    return .blend(from: before, to: now, weight: shares[passed])
  }

  private func layer(
    _ content: TileTimeline.Content, _ slot: TileTimeline, _ tracks: [TrackContent]
  ) -> TileLayer? {
    switch content {
    case .nothing: return nil
    case .card(let card): return layer(card)
    case .still(let path): return stills[path].map { .picture($0) }
    case .track(let id):
      guard let place = places[id] else { return nil }
      switch tracks[place] {
      case .nothing: return nil
      case .picture(let picture): return .picture(picture)
      case .lost: return slot.participant.map { layer(.loss($0)) }
      }
    }
  }

  private func layer(_ card: TileTimeline.Card) -> TileLayer {
    sprites.card(card).map { .card($0) } ?? .fill(placeholder)
  }
}

extension TileLayer {
  fileprivate var isCard: Bool {
    if case .picture = self { false } else { true }
  }

  fileprivate var content: TileContent {
    switch self {
    case .fill(let color): .fill(color)
    case .picture(let picture): .picture(picture)
    case .card(let card): .card(card)
    }
  }
}
