import TesseraTimeline

extension LayoutContext {
  /// Returns the index of the item for the large place of a layout; `nil` if there are no items.
  ///
  /// In order of preference: the first focused item; the first screen; if `followsSpeaker`, the
  /// item that speaks or spoke last; the first item that is not the local participant. If
  /// `keepsPlace`, the local participant is large only when alone.
  func largeIndex(followsSpeaker: Bool, localKeepsPlace keepsPlace: Bool = false) -> Int? {
    if let focused = items.firstIndex(where: \.isFocused) { return focused }
    if let screen = items.firstIndex(where: { $0.kind == .screen }) { return screen }
    if followsSpeaker, let speaker = lastSpeaker(where: { !keepsPlace || !items[$0].isLocal }) {
      return speaker
    }
    return items.firstIndex { !$0.isLocal } ?? items.indices.first
  }

  /// Returns the index of the item that speaks, otherwise of the item that spoke last, among those
  /// that satisfy `isCandidate`; `nil` if none of them has spoken.
  func lastSpeaker(where isCandidate: (Int) -> Bool) -> Int? {
    let candidates = items.indices.filter(isCandidate)
    if let speaking = candidates.first(where: { items[$0].isSpeaking }) { return speaking }
    return candidates.filter { items[$0].lastSpoke != nil }
      .max { (items[$0].lastSpoke ?? .zero, $1) < (items[$1].lastSpoke ?? .zero, $0) }
  }
}
