import TesseraPixels
import TesseraPlan

/// The place of a caption on a canvas at one time: which columns it may take, and how high it stands.
///
/// Among the candidates, which begin or end at an edge of something or lie across the seam of two tiles, the one that
/// covers least is chosen: plates count 1000 times the area that is covered, faces 8 times, tiles once, and the way from
/// the usual place as a part of the caption's area.
struct CaptionSpace: Hashable {
  /// The canvas in pixels.
  let canvas: PixelSize
  /// Name plates, and the tile of somebody who is always seen.
  var plates: Set<PixelRect> = []
  /// Faces, found or assumed.
  var faces: Set<PixelRect> = []
  /// All tiles.
  var tiles: Set<PixelRect> = []
  /// The tile of somebody who is always seen.
  var kept: PixelRect?

  /// Nothing is on `canvas`.
  init(_ canvas: PixelSize) { self.canvas = canvas }

  /// The face that a tile of a camera is assumed to hold: the middle half of its columns, from above the brows to the
  /// chin.
  static func assumedFace(in tile: PixelRect) -> PixelRect {
    PixelRect(
      x: tile.x + tile.width / 4, y: tile.y + tile.height * 18 / 100, width: tile.width / 2,
      height: tile.height * 44 / 100)
  }

  /// The rows that stay free below a caption unless said otherwise: a twentieth of the canvas; on a canvas for phones
  /// 12 %.
  var lowest: Int { canvas.isForPhones ? canvas.height * 12 / 100 : canvas.height / 20 }

  /// The rows that a caption is given at least, so that short ones stand where longer ones do: two lines.
  private var tallest: Int { min(canvas.width, canvas.height) * 13 / 100 }

  private var gap: Int { max(2, canvas.height / 180) }

  /// The columns from which a caption takes its part: those beside somebody who is always seen, or beside a last row
  /// that leaves at least 0.3 of the width; else all.
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
    // Other rows reach over that side: the tiles are no single picture in the middle.
    guard 10 * free >= 3 * canvas.width,
      tiles.contains(where: { $0.x < side.upperBound && side.lowerBound < $0.maxX })
    else { return 0..<canvas.width }
    return side
  }

  /// The columns that captions may take about the middle of ``columns``: most of them, or fewer where they would cover
  /// plates at the sides, as those of a strip of small tiles.
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

  /// The distance, in columns, of captions from the canvas's middle, positive to the right.
  var shift: Int { (columns.lowerBound + columns.upperBound) / 2 - canvas.width / 2 }

  /// The rows between the canvas's lower edge and a caption of `height` rows and `width` columns that stands
  /// `usual` rows above that edge where nothing is in the way.
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
  /// The rectangle with `margin` pixels more on each side.
  fileprivate func grown(by margin: Int) -> PixelRect {
    PixelRect(
      x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }
}
