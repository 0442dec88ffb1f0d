public import TesseraPixels

/// Everything that was drawn at plan time, named by its content.
///
/// A plan refers to drawings by ``ArtID``; the store goes into a side file (``encoded()``), so a
/// renderer opens no font and no image.
public struct ArtStore: Sendable {
  private(set) var art: [ArtID: Art]

  /// A store without drawings.
  public init() { self.init([:]) }

  init(_ art: [ArtID: Art]) { self.art = art }

  /// The number of drawings.
  public var count: Int { art.count }

  /// The names of all drawings, in their order.
  public var ids: [ArtID] { art.keys.sorted() }

  /// How large a drawing is; nil where there is none of that name.
  public func size(of id: ArtID) -> PixelSize? { art[id]?.size }

  /// The mask of that name, as a new object; nil where there is none.
  public func mask(_ id: ArtID) -> Mask? {
    guard case .coverage(let coverage) = art[id] else { return nil }
    return coverage.mask
  }

  /// The picture of that name; nil where there is none.
  public func image(_ id: ArtID) -> ColorImage? {
    guard case .image(let image) = art[id] else { return nil }
    return image
  }

  /// Keeps a drawing and returns its name.
  mutating func insert(_ drawing: Art) -> ArtID {
    let id = drawing.id
    art[id] = drawing
    return id
  }

  /// Takes the drawings of `other` over as well.
  public mutating func merge(_ other: ArtStore) {
    art.merge(other.art) { mine, _ in mine }
  }
}
