package import TesseraPixels

/// Drawings of one thing for tiles of several sizes, of which a tile shows those that fit best.
package struct SteppedArt: Hashable, Sendable, Codable {
  /// The drawings for one size.
  package struct Step: Hashable, Sendable, Codable {
    /// The size that a tile has at least.
    package var step: TileStep
    /// The drawings, each group above the one before.
    package var groups: [ArtGroup]
  }

  /// The steps, small ones first.
  package var steps: [Step]

  /// What `draw` draws for each of `steps`, small ones first.
  package init(_ steps: [TileStep], _ draw: (TileStep) -> [ArtGroup]) {
    self.steps = steps.map { Step(step: $0, groups: draw($0)) }
  }

  /// The drawings for a tile of that size; none where it is smaller than all steps.
  package func groups(for tile: PixelSize) -> [ArtGroup] {
    steps.last { $0.step.fits(tile) }?.groups ?? []
  }

  /// All groups of all steps.
  package var groups: [ArtGroup] { steps.flatMap(\.groups) }
}
