package import TesseraPixels

/// The drawings of one decoration for tiles of several sizes. A tile shows those of the largest
/// step that fits.
package struct SizeSteppedDrawings: Hashable, Sendable, Codable {
  /// The drawings for one size of tiles.
  package struct Step: Hashable, Sendable, Codable {
    /// The least size of tiles that show these drawings.
    package var step: TileSizeStep
    /// The groups of drawings, back to front.
    package var groups: [DrawingGroup]
  }

  /// The steps, in ascending order.
  package var steps: [Step]

  /// Draws each of `steps`, which are in ascending order.
  package init(_ steps: [TileSizeStep], _ draw: (TileSizeStep) -> [DrawingGroup]) {
    self.steps = steps.map { Step(step: $0, groups: draw($0)) }
  }

  /// Returns the drawings for a tile of size `tile`; empty if it is smaller than every step.
  package func groups(for tile: PixelSize) -> [DrawingGroup] {
    steps.last { $0.step.fits(tile) }?.groups ?? []
  }

  /// The groups of all steps.
  package var groups: [DrawingGroup] { steps.flatMap(\.groups) }
}
