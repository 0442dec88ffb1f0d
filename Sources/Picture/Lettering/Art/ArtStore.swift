import TesseraPixels

/// The drawings made at plan time, addressed by their content.
///
/// A plan refers to drawings by ``ArtID``. The store is saved in side files (``encoded()``), so a
/// renderer opens no fonts and no images.
package struct ArtStore: Sendable {
  private(set) var packed: [ArtID: PackedArt]

  /// Creates an empty store.
  package init() { self.init([:]) }

  init(_ packed: [ArtID: PackedArt]) { self.packed = packed }

  /// The identifiers of all drawings, sorted.
  package var ids: [ArtID] { packed.keys.sorted() }

  /// Stores a drawing and returns its identifier.
  mutating func insert(_ drawing: Art) -> ArtID {
    let id = drawing.id
    if packed[id] == nil { packed[id] = PackedArt(drawing) }
    return id
  }

  /// Returns the drawing `id`, unpacked; `nil` if the store does not have it.
  func drawing(_ id: ArtID) -> Art? { packed[id]?.art }

  /// Adds all drawings of `other`.
  package mutating func merge(_ other: ArtStore) {
    packed.merge(other.packed) { mine, _ in mine }
  }
}
