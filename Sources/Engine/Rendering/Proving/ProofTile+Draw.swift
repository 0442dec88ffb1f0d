import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TesseraProof
import TesseraTimeline

extension ProofTile {
  /// Creates the tile as drawn on a canvas of `size`; nil if it is too transparent or its visible
  /// area is too small to be measured.
  init?(_ tile: TilePlacement, of slot: Int, on size: PixelSize) {
    guard tile.alpha >= 0.5 else { return nil }
    let frame = tile.scale == 1 ? tile.frame : tile.frame.scaled(by: tile.scale)
    let (x, y) = (Int(saturating: frame.x.rounded()), Int(saturating: frame.y.rounded()))
    let whole = PixelRect(
      x: x, y: y, width: Int(saturating: frame.width.rounded()),
      height: Int(saturating: frame.height.rounded()))
    let area = whole.intersection(PixelRect(size))
    guard area.width >= ProofTile.least, area.height >= ProofTile.least else { return nil }
    var plate: PixelRect?
    for sprite in tile.sprites where sprite.opacity >= 0.5 {
      let names = sprite.area(from: (x, y))
      if names.width * names.height > (plate.map { $0.width * $0.height } ?? 0) { plate = names }
    }
    let seen = plate?.intersection(area)
    self.init(slot: slot, area: area, plate: seen.flatMap { $0.isEmpty ? nil : $0 })
  }
}
