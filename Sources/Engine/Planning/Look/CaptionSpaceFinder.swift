import TesseraCodecs
import TesseraCompositor
import TesseraLayout
import TesseraLettering
import TesseraPixels
import TesseraPlan
import TesseraTimeline

/// Determines the free space for captions on the canvas of a plan, from all tiles and plates seen
/// while a caption is shown.
struct CaptionSpaceFinder {
  private let plan: Plan
  private let plates: [PlanDrawings.PlateText: SizeSteppedDrawings]
  private let slots: [SlotID: TileTimeline]
  private let canvas: PixelSize
  /// The times at which tiles start to move, in ascending order.
  private let changes: [MediaTime]
  /// The duration of tile movements.
  private let motion: MediaTime

  /// Creates the clearance for the tiles of `plan` and their name plates.
  init(_ plan: Plan, plates: [PlanDrawings.PlateText: SizeSteppedDrawings]) {
    self.plan = plan
    self.plates = plates
    slots = Dictionary(uniqueKeysWithValues: plan.slots.map { ($0.id, $0) })
    canvas = plan.output.video.size
    changes = plan.scenes.changeTimes
    motion = plan.output.video.frameRate.time(ofFrame: plan.output.contentFade)
  }

  /// Returns the canvas space for a caption shown at `times`.
  func space(_ times: TimeRange) -> CaptionPlacement {
    var space = CaptionPlacement(canvas)
    for time in moments(times) {
      for attributes in plan.scenes.attributes(at: time) where attributes.alpha > 0 {
        guard let slot = slots[attributes.id] else { continue }
        let tile = attributes.decorated(slot, on: canvas)
        space.plates.formUnion(plateAreas(attributes, times))
        space.tiles.insert(tile)
        if attributes.id == plan.kept {
          space.plates.insert(tile)
          space.kept = tile
        } else if slot.kind == .camera {
          let whole = PixelRect(rounding: attributes.displayFrame)
          space.faces.insert(
            face(attributes, slot, time) ?? CaptionPlacement.assumedFace(in: whole))
        }
      }
    }
    return space
  }

  /// Returns the area of the slot's face at `time`, or `nil` if no face was found.
  private func face(
    _ attributes: LayoutAttributes, _ slot: TileTimeline, _ time: MediaTime
  ) -> PixelRect? {
    let framing = slot.framing[plan.output.video.frameRate.firstFrame(showing: time)]
    guard let framing, let ratio = attributes.aspectRatio,
      let face = framing.faceArea(
        in: attributes.displayFrame, aspectRatio: ratio, coverage: attributes.coverage ?? 1)
    else { return nil }
    return PixelRect(rounding: face)
  }

  /// Returns times that sample each resting layout within `times`. Plates that pass by while tiles
  /// move are ignored: they would push a caption far up for a short moment.
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
    let area = attributes.decorated(slot, on: canvas)
    let size = PixelSize(width: area.width, height: area.height)
    return texts(slot, times).flatMap { plates[$0]?.groups(for: size) ?? [] }.map { group in
      let origin = group.origin(in: size)
      return PixelRect(
        x: area.x + origin.x, y: area.y + origin.y, width: group.size.width,
        height: group.size.height)
    }
  }

  /// Returns the texts of the slot's plate within `times`.
  private func texts(
    _ slot: TileTimeline, _ times: TimeRange
  ) -> Set<PlanDrawings.PlateText> {
    let rate = plan.output.video.frameRate
    let (first, last) = (rate.firstFrame(showing: times.start), rate.firstFrame(showing: times.end))
    let changes = slot.decorations.all
    let from = slot.decorations.index(in: first) ?? 0
    return Set(
      changes.dropFirst(from).prefix { $0.frame <= max(first, last) }.filter {
        $0.value.plateOpacity > 0
      }.map {
        PlanDrawings.PlateText(name: $0.value.name, isScreen: $0.value.isScreen)
      })
  }
}
