import TesseraCompositor
import TesseraLayout
import TesseraLettering
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraTimeline

/// How far above the canvas's lower edge captions stand, and how wide they are: where no tile is, if
/// there is such a place; else where they cover no name plate, nobody who is always seen, and as
/// few faces as can be.
struct CaptionClearance {
  private let plan: Plan
  private let plates: [Look.PlateText: SteppedArt]
  private let slots: [SlotID: Slot]
  private let canvas: PixelSize
  /// When tiles begin to move, in ascending order.
  private let changes: [MediaTime]
  /// How long they move.
  private let motion: MediaTime

  /// What keeps clear of `plates` on the tiles of `plan`.
  init(_ plan: Plan, plates: [Look.PlateText: SteppedArt]) {
    self.plan = plan
    self.plates = plates
    slots = Dictionary(uniqueKeysWithValues: plan.slots.map { ($0.id, $0) })
    canvas = plan.output.video.size
    changes = plan.scenes.changeTimes
    motion = plan.output.video.frameRate.time(ofFrame: plan.output.contentFade)
  }

  /// The columns that captions at `times` may take: most of the canvas, or less where they would
  /// cover plates at its sides, as those of a strip of small tiles.
  func room(_ times: TimeRange) -> Int {
    let obstacles = obstacles(times)
    let tallest = canvas.height / 5
    let columns = columns(obstacles.kept)
    let (widest, center) = (columns.count * 84 / 100, (columns.lowerBound + columns.upperBound) / 2)
    if place(tallest, clearOf: obstacles.plates, center, widest) != nil { return widest }
    let near = obstacles.plates.compactMap { plate -> Int? in
      if plate.x >= canvas.width * 65 / 100 { return plate.x - center }
      return plate.maxX <= canvas.width * 35 / 100 ? center - plate.maxX : nil
    }
    let narrow = min(widest, 2 * ((near.min() ?? center) - gap))
    return place(tallest, clearOf: obstacles.plates, center, narrow) == nil ? widest : narrow
  }

  /// How far right of the canvas's middle captions stand: in the middle of what is left beside
  /// somebody who is always seen.
  func shift(_ times: TimeRange) -> Int {
    let columns = columns(obstacles(times).kept)
    return (columns.lowerBound + columns.upperBound) / 2 - canvas.width / 2
  }

  /// The columns beside somebody who is always seen.
  private func columns(_ kept: PixelRect?) -> Range<Int> {
    guard let kept else { return 0..<canvas.width }
    if kept.x >= canvas.width / 2 { return 0..<kept.x }
    return kept.maxX <= canvas.width / 2 ? kept.maxX..<canvas.width : 0..<canvas.width
  }

  /// The rows to leave free under a caption of `height` rows that stands there at `times`: the
  /// lowest place in the lower half of the canvas where no tile is, else with no plate and no upper
  /// third of a tile, else with no plate, else the lowest of all. All captions make room for the
  /// plates in the columns that they may take, so that they stand at one height whatever they say.
  ///
  /// - Parameters:
  ///   - height: the caption's rows.
  ///   - times: when it stands there.
  ///   - lowest: the rows that stay free in any case; nil is a twentieth of the canvas.
  ///   - width: the columns that it may take; nil is ``room(_:)``.
  /// - Returns: the rows from the canvas's lower edge to the caption.
  func rows(
    under height: Int, _ times: TimeRange, from lowest: Int? = nil, width: Int? = nil
  ) -> Int {
    let (obstacles, room) = (obstacles(times), width ?? room(times))
    let lowest = lowest ?? canvas.height / 20
    let columns = columns(obstacles.kept)
    let center = (columns.lowerBound + columns.upperBound) / 2
    for areas in [obstacles.tiles, obstacles.plates.union(obstacles.faces), obstacles.plates] {
      if let rows = place(height, clearOf: areas, center, room, from: lowest) { return rows }
    }
    return lowest
  }

  private var gap: Int { max(2, canvas.height / 180) }

  /// The rows under a box of `height` rows and `width` columns about the column `center`; nil where
  /// it would cover one of `plates` anywhere in the lower half.
  private func place(
    _ height: Int, clearOf plates: Set<PixelRect>, _ center: Int, _ width: Int,
    from lowest: Int? = nil
  ) -> Int? {
    let columns = center - max(0, width) / 2..<center + (max(0, width) + 1) / 2
    let plates = plates.filter { $0.x < columns.upperBound && columns.lowerBound < $0.maxX }
    var clearance = lowest ?? canvas.height / 20
    while clearance + height <= canvas.height / 2 {
      let rows = canvas.height - clearance - height..<canvas.height - clearance
      let hit = plates.filter {
        $0.y - gap < rows.upperBound && rows.lowerBound < $0.maxY + gap
      }
      guard let top = hit.map(\.y).min() else { return clearance }
      clearance = canvas.height - top + gap
    }
    return nil
  }

  /// What captions make room for.
  private struct Obstacles {
    /// Plates, and the tile of somebody who is always seen.
    var plates: Set<PixelRect> = []
    /// Faces, and the upper thirds of tiles of people whose faces were not found.
    var faces: Set<PixelRect> = []
    /// All tiles.
    var tiles: Set<PixelRect> = []
    /// The tile of somebody who is always seen.
    var kept: PixelRect?
  }

  /// All that is there at some of `times`.
  private func obstacles(_ times: TimeRange) -> Obstacles {
    var found = Obstacles()
    for time in moments(times) {
      for attributes in plan.scenes.attributes(at: time) where attributes.alpha > 0 {
        guard let slot = slots[attributes.id] else { continue }
        let area = attributes.decorated(slot)
        found.plates.formUnion(plateAreas(attributes, times))
        found.tiles.insert(area)
        if attributes.id == plan.kept {
          found.plates.insert(area)
          found.kept = area
        } else if slot.kind == .camera {
          found.faces.insert(face(attributes, slot, time) ?? area.upperThird)
        }
      }
    }
    return found
  }

  /// Where the slot's face is then; nil where none was found.
  private func face(
    _ attributes: LayoutAttributes, _ slot: Slot, _ time: MediaTime
  ) -> PixelRect? {
    let framing = slot.framing[plan.output.video.frameRate.firstFrame(showing: time)]
    guard let framing, let ratio = attributes.aspectRatio,
      let face = framing.faceArea(
        in: attributes.displayFrame, aspectRatio: ratio, coverage: attributes.coverage ?? 1)
    else { return nil }
    return PixelRect(rounding: face)
  }

  /// Moments that show where tiles stay at `times`. Plates that pass by while tiles move do not
  /// count: a caption would have to stand far up for the little while in which they do.
  private func moments(_ times: TimeRange) -> [MediaTime] {
    let last = MediaTime(nanoseconds: max(times.start.nanoseconds, times.end.nanoseconds -| 1))
    let starts = changes.filter { $0 > times.start && $0 < times.end }
    let rests = [times.start] + ([times.start] + starts).map { min($0 + motion, last) }
    return rests.filter(isAtRest) + [last]
  }

  private func isAtRest(_ time: MediaTime) -> Bool {
    !changes.dropFirst().contains { $0 <= time && time - $0 < motion }
  }

  private func plateAreas(
    _ attributes: LayoutAttributes, _ times: TimeRange
  ) -> [PixelRect] {
    guard let slot = slots[attributes.id] else { return [] }
    let area = attributes.decorated(slot)
    let size = PixelSize(width: area.width, height: area.height)
    return texts(slot, times).flatMap { plates[$0]?.groups(for: size) ?? [] }.map { group in
      let origin = group.origin(in: size)
      return PixelRect(
        x: area.x + origin.x, y: area.y + origin.y, width: group.size.width,
        height: group.size.height)
    }
  }

  /// What the slot's plate says at some of `times`.
  private func texts(
    _ slot: Slot, _ times: TimeRange
  ) -> Set<Look.PlateText> {
    let rate = plan.output.video.frameRate
    let (first, last) = (rate.firstFrame(showing: times.start), rate.firstFrame(showing: times.end))
    let changes = slot.decorations.all
    let from = slot.decorations.index(in: first) ?? 0
    return Set(
      changes.dropFirst(from).prefix { $0.frame <= max(first, last) }.filter {
        $0.value.plateOpacity > 0
      }.map {
        Look.PlateText(name: $0.value.name, isScreen: $0.value.isScreen)
      })
  }
}

extension PixelRect {
  /// Where the face is of somebody of whom nothing else is known.
  fileprivate var upperThird: PixelRect {
    PixelRect(x: x, y: y, width: width, height: height / 3)
  }
}
