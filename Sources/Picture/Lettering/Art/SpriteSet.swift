package import TesseraPixels

/// Groups of drawings, each converted to one sprite before rendering starts.
package struct SpriteSet: Sendable {
  /// The properties of a group that decide its appearance, wherever it is placed.
  private struct Look: Hashable {
    var size: PixelSize
    var items: [ArtGroup.Item]

    init(_ group: ArtGroup) { (size, items) = (group.size, group.items) }
  }

  private var sprites: [Look: Sprite] = [:]

  /// Creates the sprites of `groups` with drawings from `store`. Groups of equal appearance share a
  /// sprite.
  package init(_ groups: some Sequence<ArtGroup>, from store: ArtStore) {
    for group in groups { add(group, from: store) }
  }

  /// Adds the sprite of `group` with drawings from `store`.
  package mutating func add(_ group: ArtGroup, from store: ArtStore) {
    let look = Look(group)
    guard sprites[look] == nil, let image = store.image(of: group) else { return }
    sprites[look] = Sprite(image)
  }

  /// Returns the sprite of `group`, in the group's size; `nil` if it was not added or is empty.
  package subscript(group: ArtGroup) -> Sprite? { sprites[Look(group)] }
}
