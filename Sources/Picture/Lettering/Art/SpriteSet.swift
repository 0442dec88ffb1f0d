package import TesseraPixels

/// Groups of drawings, each converted to one sprite before rendering starts.
package struct SpriteSet: Sendable {
  /// The properties of a group that decide its appearance, wherever it is placed.
  private struct Appearance: Hashable {
    var size: PixelSize
    var items: [DrawingGroup.Item]

    init(_ group: DrawingGroup) { (size, items) = (group.size, group.items) }
  }

  private var sprites: [Appearance: Sprite] = [:]

  /// Creates the sprites of `groups` with drawings from `store`. Groups of equal appearance share a
  /// sprite.
  package init(_ groups: some Sequence<DrawingGroup>, from store: DrawingStore) {
    for group in groups { add(group, from: store) }
  }

  /// Adds the sprite of `group` with drawings from `store`.
  package mutating func add(_ group: DrawingGroup, from store: DrawingStore) {
    let look = Appearance(group)
    guard sprites[look] == nil, let image = store.image(of: group) else { return }
    sprites[look] = Sprite(image)
  }

  /// Returns the sprite of `group`, in the group's size; `nil` if it was not added or is empty.
  package subscript(group: DrawingGroup) -> Sprite? { sprites[Appearance(group)] }
}
