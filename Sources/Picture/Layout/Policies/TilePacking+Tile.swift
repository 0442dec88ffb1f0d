import TesseraTimeline

extension TilePacking {
  /// The size of a regular tile in pixels, and the number of tiles in a row.
  struct RegularTile {
    var columns: Int
    var width: Double
    var height: Double
  }

  /// Returns the columns and tile with which tiles for `pictures` (height over width) cover the
  /// most area; ties go to more columns. `nil` if there are no pictures.
  func bestTile(_ pictures: [Double], in area: Size) -> RegularTile? {
    guard let first = pictures.first, let flattest = pictures.min() else { return nil }
    let (count, limits) = (pictures.count, isFixed ? first...first : ratios)
    var best: RegularTile?
    var bestArea = 0.0
    var bestRemainder = 0
    for columns in 1...count {
      let rows = (count + columns - 1) / columns
      var width = (area.width / Double(columns)).rounded(.down)
      var height = (area.height / Double(rows)).rounded(.down)
      guard width > 0, height > 0 else { continue }
      if height > width * limits.upperBound {
        height = width * limits.upperBound
      } else if height < width * limits.lowerBound {
        width = height / limits.lowerBound
      }
      if isFixed {
        // The widest picture must fit.
        let shrink = min(1, maximum.height / height, maximum.width * flattest / height)
        (width, height) = (width * shrink, height * shrink)
      } else {
        (width, height) = (min(width, maximum.width), min(height, maximum.height))
      }
      let total = width * height * Double(count)
      let remainder = columns * rows % count
      guard total >= bestArea else { continue }
      if prefersEvenRows, total == bestArea, remainder > bestRemainder { continue }
      best = RegularTile(columns: columns, width: width, height: height)
      (bestArea, bestRemainder) = (total, remainder)
    }
    if let best { return best }
    // There are fewer pixels than tiles, so tiles are fractions of a pixel.
    let columns = Int(saturating: Double(count).squareRoot().rounded(.up))
    let rows = (count + columns - 1) / columns
    return RegularTile(
      columns: columns, width: area.width / Double(columns), height: area.height / Double(rows))
  }
}
