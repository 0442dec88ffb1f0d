package import TesseraPixels

/// Groups of drawings, each made one sprite: what a renderer draws with, ready before it starts.
package struct SpriteSet: Sendable {
  /// What makes groups look like each other, wherever they are placed.
  private struct Look: Hashable {
    var size: PixelSize
    var items: [ArtGroup.Item]

    init(_ group: ArtGroup) { (size, items) = (group.size, group.items) }
  }

  private var sprites: [Look: Sprite] = [:]

  /// The sprites of `groups`, with their drawings from `store`; those that look alike are one.
  package init(_ groups: some Sequence<ArtGroup>, from store: ArtStore) {
    for group in groups { add(group, from: store) }
  }

  /// Adds the sprite of another group.
  package mutating func add(_ group: ArtGroup, from store: ArtStore) {
    let look = Look(group)
    guard sprites[look] == nil, let image = store.image(of: group) else { return }
    sprites[look] = Sprite(image)
  }

  /// The sprite of a group, as large as the group; nil for one that was not given or is empty.
  package subscript(group: ArtGroup) -> Sprite? { sprites[Look(group)] }
}
