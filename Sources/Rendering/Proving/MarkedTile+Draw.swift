import TesseraCompositor
import TesseraLayout
import TesseraPixels
import TesseraProof
import TesseraTimeline

extension MarkedTile {
  /// The tile as it is drawn on a canvas of `size`; nil where too little of it is seen to be measured.
  init?(_ tile: TileDraw, of slot: Int, on size: PixelSize) {
    guard tile.alpha >= 0.5 else { return nil }
    let frame = tile.scale == 1 ? tile.frame : tile.frame.scaled(by: tile.scale)
    let (x, y) = (Int(saturating: frame.x.rounded()), Int(saturating: frame.y.rounded()))
    let whole = PixelRect(
      x: x, y: y, width: Int(saturating: frame.width.rounded()),
      height: Int(saturating: frame.height.rounded()))
    let area = whole.intersection(PixelRect(size))
    guard area.width >= MarkedTile.least, area.height >= MarkedTile.least else { return nil }
    let names = tile.sprites.filter { $0.opacity >= 0.5 }.map { $0.area(from: (x, y)) }
    let plate = names.max { $0.width * $0.height < $1.width * $1.height }?.intersection(area)
    self.init(slot: slot, area: area, plate: plate.flatMap { $0.isEmpty ? nil : $0 })
  }
}
