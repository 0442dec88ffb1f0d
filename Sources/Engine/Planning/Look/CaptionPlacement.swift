import TesseraPixels
import TesseraPlan

/// The placement of a caption on a canvas at one time: its columns, and its distance from the lower
/// edge.
///
/// Candidate positions start or end at an edge of something on the canvas, or span the seam of two
/// tiles. The candidate with the lowest cost is chosen. A covered pixel costs 1000 for a plate, 8
/// for a face and 1 for a tile. The distance from the usual position, as a fraction of the canvas
/// height, is multiplied by the caption's area and added.
struct CaptionPlacement: Hashable {
  /// The canvas size in pixels.
  let canvas: PixelSize
  /// The areas of name plates, and the tile of the always visible participant.
  var plates: Set<PixelRect> = []
  /// The areas of faces, detected or assumed.
  var faces: Set<PixelRect> = []
  var tiles: Set<PixelRect> = []
  /// The tile of the always visible participant; `nil` if there is none.
  var kept: PixelRect?

  init(_ canvas: PixelSize) { self.canvas = canvas }

  /// Returns the assumed face area in a camera tile: the middle half of its columns, from above the
  /// brows to the chin.
  static func assumedFace(in tile: PixelRect) -> PixelRect {
    PixelRect(
      x: tile.x + tile.width / 4, y: tile.y + tile.height * 18 / 100, width: tile.width / 2,
      height: tile.height * 44 / 100)
  }

  /// The default number of free rows below a caption: 5 % of the canvas height, or 12 % on a canvas
  /// for phones.
  var lowest: Int { canvas.isForPhones ? canvas.height * 12 / 100 : canvas.height / 20 }

  /// The minimum height that is assumed for a caption in rows: two lines. Short captions then get
  /// the position of longer ones.
  private var tallest: Int { min(canvas.width, canvas.height) * 13 / 100 }

  private var gap: Int { max(2, canvas.height / 180) }

  /// The columns in which captions are centered: those beside the always visible participant, or
  /// beside a last row that leaves at least 30 % of the width free; otherwise all columns.
  var columns: Range<Int> {
    if let kept {
      if kept.x >= canvas.width / 2 { return 0..<kept.x }
      return kept.maxX <= canvas.width / 2 ? kept.maxX..<canvas.width : 0..<canvas.width
    }
    let rows = canvas.height - lowest - tallest..<canvas.height - lowest
    let low = tiles.filter { $0.y < rows.upperBound && rows.lowerBound < $0.maxY }
    guard let left = low.map(\.x).min(), let right = low.map(\.maxX).max() else {
      return 0..<canvas.width
    }
    let free = max(left, canvas.width - right)
    let side = left == free ? 0..<left : right..<canvas.width
    // Tiles of other rows must extend over the free side. Otherwise the tiles form a single picture
    // in the middle.
    guard 10 * free >= 3 * canvas.width,
      tiles.contains(where: { $0.x < side.upperBound && side.lowerBound < $0.maxX })
    else { return 0..<canvas.width }
    return side
  }

  /// The width available to captions around the middle of ``columns``: most of the columns, or
  /// fewer if captions would cover plates at the sides, such as those of a strip of small tiles.
  var room: Int {
    let columns = columns
    let isWhole = columns.count == canvas.width
    let (widest, center) = (
      columns.count * (isWhole ? 84 : 94) / 100, (columns.lowerBound + columns.upperBound) / 2
    )
    func isFree(_ width: Int) -> Bool {
      stride(from: lowest, through: canvas.height / 2 - tallest, by: gap).contains { clearance in
        let area = area(clearance, tallest, width)
        return !plates.contains { !area.intersection($0.grown(by: gap)).isEmpty }
      }
    }
    if isFree(widest) { return widest }
    let near = plates.compactMap { plate -> Int? in
      if plate.x >= canvas.width * 65 / 100 { return plate.x - center }
      return plate.maxX <= canvas.width * 35 / 100 ? center - plate.maxX : nil
    }
    let narrow = min(widest, 2 * ((near.min() ?? center) - gap))
    return narrow > 0 && isFree(narrow) ? narrow : widest
  }

  /// The offset of captions from the canvas's middle in columns, positive to the right.
  var shift: Int { (columns.lowerBound + columns.upperBound) / 2 - canvas.width / 2 }

  /// Returns the number of rows between the canvas's lower edge and a caption of `height` rows and
  /// `width` columns. The result is `usual` (default: ``lowest``) if nothing is in the way.
  func rows(under height: Int, width: Int, usual: Int? = nil) -> Int {
    let (height, usual) = (max(height, tallest), usual ?? lowest)
    let least = min(usual, lowest)
    let most = max(least, canvas.height * (canvas.width > canvas.height ? 50 : 60) / 100 - height)
    var candidates: Set<Int> = [usual]
    for area in plates.union(faces).union(tiles) {
      candidates.insert(canvas.height - area.y + gap)
      candidates.insert(canvas.height - area.maxY - gap - height)
      candidates.insert(canvas.height - area.maxY - height / 2)
    }
    let costs = candidates.filter { (least...most).contains($0) || $0 == usual }.map { rows in
      (cost(rows, height, width, usual: usual), abs(rows - usual), rows)
    }
    return costs.min { $0 < $1 }?.2 ?? usual
  }

  private func area(_ clearance: Int, _ height: Int, _ width: Int) -> PixelRect {
    let middle = canvas.width / 2 + shift
    return PixelRect(
      x: middle - width / 2, y: canvas.height - clearance - height, width: width, height: height)
  }

  private func cost(_ clearance: Int, _ height: Int, _ width: Int, usual: Int) -> Int {
    let area = area(clearance, height, width)
    func covered(_ rects: Set<PixelRect>) -> Int {
      rects.reduce(0) { $0 + area.intersection($1).size.area }
    }
    let near = plates.reduce(0) { $0 + area.intersection($1.grown(by: gap)).size.area }
    return 1000 * near + 8 * covered(faces) + covered(tiles)
      + abs(clearance - usual) * area.size.area / max(1, canvas.height)
  }
}

extension PixelRect {
  /// Returns the rectangle extended by `margin` pixels on each side.
  fileprivate func grown(by margin: Int) -> PixelRect {
    PixelRect(
      x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }
}
