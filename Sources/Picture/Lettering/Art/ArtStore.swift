package import TesseraPixels

/// Everything that was drawn at plan time, named by its content.
///
/// A plan refers to drawings by ``ArtID``; the store goes into a side file (``encoded()``), so a
/// renderer opens no font and no image.
package struct ArtStore: Sendable {
  private(set) var packed: [ArtID: PackedArt]

  /// A store without drawings.
  package init() { self.init([:]) }

  init(_ packed: [ArtID: PackedArt]) { self.packed = packed }

  /// The number of drawings.
  package var count: Int { packed.count }

  /// The names of all drawings, in their order.
  package var ids: [ArtID] { packed.keys.sorted() }

  /// How large a drawing is; nil where there is none of that name.
  package func size(of id: ArtID) -> PixelSize? { packed[id]?.size }

  /// The mask of that name, as a new object; nil where there is none.
  package func mask(_ id: ArtID) -> Mask? {
    guard case .coverage(let coverage) = drawing(id) else { return nil }
    return coverage.mask
  }

  /// The picture of that name; nil where there is none.
  package func image(_ id: ArtID) -> ColorImage? {
    guard case .image(let image) = drawing(id) else { return nil }
    return image
  }

  /// Keeps a drawing and returns its name.
  mutating func insert(_ drawing: Art) -> ArtID {
    let id = drawing.id
    if packed[id] == nil { packed[id] = PackedArt(drawing) }
    return id
  }

  /// The drawing of that name; nil where there is none.
  func drawing(_ id: ArtID) -> Art? { packed[id]?.art }

  /// Takes the drawings of `other` over as well.
  package mutating func merge(_ other: ArtStore) {
    packed.merge(other.packed) { mine, _ in mine }
  }
}
