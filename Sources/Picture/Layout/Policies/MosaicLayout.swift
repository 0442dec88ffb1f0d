/// Bands of one, two or three tiles, as in Apple's sample "Customizing Collection View Layouts".
///
/// The sequence is: one tile, two halves, two thirds beside two small tiles, two small tiles beside
/// two thirds, and again from the halves on. The last one or two items get a band of one or two
/// tiles.
package struct MosaicLayout: FixedPlacesLayout, Hashable {
  /// The height of a band in pixels, for content that scrolls, with the sample's gutters of one
  /// pixel.
  ///
  /// `nil` divides the canvas among the bands, with as many side by side as bring them closest to
  /// the sample's shape.
  package var bandHeight: Double?

  /// Creates a mosaic with bands of the height `bandHeight`; `nil` fills the canvas.
  package init(bandHeight: Double? = nil) {
    self.bandHeight = bandHeight
  }

  init(options: inout LayoutOptionParser) throws(LayoutError) {
    bandHeight = try options.number(
      "band", in: 16...4096, else: "fills the canvas", "the height of a band in pixels")
  }

  package var seating: SeatingRule { .seats }

  package func prepare(_ context: LayoutContext) -> LayoutArrangement {
    let bands = Band.bands(count: context.items.count)
    guard let bandHeight else {
      let bounds = context.tilingBounds
      let cells = zip(bands, Band.areas(count: bands.count, in: bounds)).flatMap { band, area in
        band.cells(in: area, split: Band.split)
      }
      return arrangement(context, cells.map { context.frame(ofCell: $0) }, context.canvas)
    }
    let cells = bands.enumerated().flatMap { index, band in
      band.cells(
        in: Rect(
          x: 0, y: 1 + Double(index) * (bandHeight + 1), width: context.canvas.width,
          height: bandHeight), split: Band.splitWithGutter)
    }
    let height = Double(bands.count) * (bandHeight + 1)
    return arrangement(context, cells, Size(width: context.canvas.width, height: height))
  }

  private func arrangement(
    _ context: LayoutContext, _ frames: [Rect], _ contentSize: Size
  ) -> LayoutArrangement {
    LayoutArrangement(
      contentSize: contentSize,
      attributes: zip(context.items, frames).map { LayoutAttributes($0, frame: $1) })
  }
}
