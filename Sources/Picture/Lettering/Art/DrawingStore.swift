import TesseraPixels

/// The drawings made at plan time, addressed by their content.
///
/// A plan refers to drawings by ``DrawingID``. The store is saved in side files (``encoded()``), so
/// a renderer opens no fonts and no images.
package struct DrawingStore: Sendable {
  private(set) var packed: [DrawingID: EncodedDrawing]

  /// Creates an empty store.
  package init() { self.init([:]) }

  init(_ packed: [DrawingID: EncodedDrawing]) { self.packed = packed }

  /// The identifiers of all drawings, sorted.
  package var ids: [DrawingID] { packed.keys.sorted() }

  /// Stores a drawing and returns its identifier.
  mutating func insert(_ drawing: RasterDrawing) -> DrawingID {
    let id = drawing.id
    if packed[id] == nil { packed[id] = EncodedDrawing(drawing) }
    return id
  }

  /// Returns the drawing `id`, unpacked; `nil` if the store does not have it.
  func drawing(_ id: DrawingID) -> RasterDrawing? { packed[id]?.art }

  /// Adds all drawings of `other`.
  package mutating func merge(_ other: DrawingStore) {
    packed.merge(other.packed) { mine, _ in mine }
  }
}
