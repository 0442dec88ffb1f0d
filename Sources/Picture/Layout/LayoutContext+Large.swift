import TesseraTimeline

extension LayoutContext {
  /// The index of the item that takes the large place of a layout that has one; nil without items.
  ///
  /// That is the first focused item, else the first screen, else, where the layout follows the
  /// speaker, the one that speaks or spoke last, else the first other one than the local participant.
  /// Where the local participant `keepsPlace`, that one is never large while there is another.
  func largeIndex(followsSpeaker: Bool, localKeepsPlace keepsPlace: Bool = false) -> Int? {
    if let focused = items.firstIndex(where: \.isFocused) { return focused }
    if let screen = items.firstIndex(where: { $0.kind == .screen }) { return screen }
    if followsSpeaker, let speaker = lastSpeaker(where: { !keepsPlace || !items[$0].isLocal }) {
      return speaker
    }
    return items.firstIndex { !$0.isLocal } ?? items.indices.first
  }

  /// The index of the item that speaks, else of the one that spoke last, among those that satisfy
  /// `isCandidate`; nil where none of them has spoken.
  func lastSpeaker(where isCandidate: (Int) -> Bool) -> Int? {
    let candidates = items.indices.filter(isCandidate)
    if let speaking = candidates.first(where: { items[$0].isSpeaking }) { return speaking }
    return candidates.filter { items[$0].lastSpoke != nil }
      .max { (items[$0].lastSpoke ?? .zero, $1) < (items[$1].lastSpoke ?? .zero, $0) }
  }
}
