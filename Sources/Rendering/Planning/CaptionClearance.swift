import TesseraLayout
import TesseraLettering
import TesseraMedia
import TesseraPixels
import TesseraTimeline

/// How far above the canvas's lower edge captions stand, so that they cover no name plate.
struct CaptionClearance {
  private let plan: Plan
  private let plates: [Look.PlateText: SteppedArt]
  private let slots: [SlotID: Slot]
  private let canvas: PixelSize
  /// When tiles begin to move, in ascending order.
  private let changes: [MediaTime]
  /// How long they move.
  private let motion: MediaTime
  /// The columns that a caption can take. All captions make room for the plates in them, so that
  /// they stand at one height whatever they say.
  private let columns: Range<Int>

  /// What keeps clear of `plates` on the tiles of `plan`.
  init(_ plan: Plan, plates: [Look.PlateText: SteppedArt]) {
    self.plan = plan
    self.plates = plates
    slots = Dictionary(uniqueKeysWithValues: plan.slots.map { ($0.id, $0) })
    canvas = plan.output.video.size
    changes = plan.scenes.changeTimes
    motion = plan.output.video.frameRate.time(ofFrame: plan.output.contentFade)
    columns = canvas.width * 8 / 100..<canvas.width * 92 / 100
  }

  /// The rows to leave free under a caption of `height` rows that stands there at `times`: the
  /// lowest place with no plate in the lower half of the canvas, else above the lowest plates.
  func rows(under height: Int, _ times: TesseraTimeline.TimeInterval) -> Int {
    let least = canvas.height / 20
    let gap = max(2, canvas.height / 180)
    let plates = plateRows(times)
    var (clearance, first) = (least, least)
    for step in 0...plates.count {
      let rows = canvas.height - clearance - height..<canvas.height - clearance
      let hit = plates.filter {
        $0.lowerBound - gap < rows.upperBound && rows.lowerBound < $0.upperBound + gap
      }
      guard let top = hit.map(\.lowerBound).min() else { return clearance }
      clearance = canvas.height - top + gap
      if step == 0 { first = clearance }
      if clearance + height > canvas.height / 2 { break }
    }
    return first + height > canvas.height / 2 ? least : first
  }

  /// The rows of all plates that are under captions at some of `times`.
  private func plateRows(_ times: TesseraTimeline.TimeInterval) -> Set<Range<Int>> {
    guard !plates.isEmpty else { return [] }
    var rows: Set<Range<Int>> = []
    for time in moments(times) {
      for attributes in plan.scenes.attributes(at: time) where attributes.alpha > 0 {
        for area in plateAreas(attributes, times)
        where area.x < columns.upperBound && columns.lowerBound < area.maxX {
          rows.insert(area.y..<area.maxY)
        }
      }
    }
    return rows
  }

  /// Moments that show where tiles stay at `times`. Plates that pass by while tiles move do not count:
  /// a caption would have to stand far up for the little while in which they do.
  private func moments(_ times: TesseraTimeline.TimeInterval) -> [MediaTime] {
    let last = MediaTime(nanoseconds: max(times.start.nanoseconds, times.end.nanoseconds - 1))
    let starts = changes.filter { $0 > times.start && $0 < times.end }
    let rests = [times.start] + ([times.start] + starts).map { min($0 + motion, last) }
    return rests.filter(isAtRest) + [last]
  }

  private func isAtRest(_ time: MediaTime) -> Bool {
    !changes.dropFirst().contains { $0 <= time && time - $0 < motion }
  }

  private func plateAreas(
    _ attributes: LayoutAttributes, _ times: TesseraTimeline.TimeInterval
  ) -> [PixelRect] {
    guard let slot = slots[attributes.id] else { return [] }
    let frame = attributes.displayFrame
    let size = PixelSize(width: Int(frame.width.rounded()), height: Int(frame.height.rounded()))
    return texts(slot, times).flatMap { plates[$0]?.groups(for: size) ?? [] }.map { group in
      let origin = group.origin(in: size)
      return PixelRect(
        x: Int(frame.x.rounded()) + origin.x, y: Int(frame.y.rounded()) + origin.y,
        width: group.size.width, height: group.size.height)
    }
  }

  /// What the slot's plate says at some of `times`.
  private func texts(
    _ slot: Slot, _ times: TesseraTimeline.TimeInterval
  ) -> Set<Look.PlateText> {
    let rate = plan.output.video.frameRate
    let (first, last) = (rate.firstFrame(showing: times.start), rate.firstFrame(showing: times.end))
    let changes = slot.decorations.all
    let from = slot.decorations.index(in: first) ?? 0
    return Set(
      changes.dropFirst(from).prefix { $0.frame <= max(first, last) }.map {
        Look.PlateText(name: $0.value.name, isScreen: $0.value.isScreen)
      })
  }
}
