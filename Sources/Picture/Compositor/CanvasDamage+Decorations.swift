internal import TesseraPixels
import TesseraTimeline

extension CanvasDamage {
  /// Adds the areas in which the decorations of `new` differ from those of `old`, which shows equal
  /// content in the same place.
  mutating func insertDecorations(from old: CanvasState.Tile, to new: CanvasState.Tile) {
    let plan = new.first.plan
    insertChanges(from: old.draw.sprites, to: new.draw.sprites) {
      plan.area(of: $0).intersection(plan.frame)
    }
    guard old.draw.border != new.draw.border else { return }
    let width = max(old.draw.border?.width ?? 0, new.draw.border?.width ?? 0) * new.draw.scale
    insertRing(of: plan, width: width)
    if let second = new.second { insertRing(of: second.plan, width: width) }
  }

  /// Adds the `area` of every element that differs between the two lists at the same index.
  mutating func insertChanges<Element: Equatable>(
    from old: [Element], to new: [Element], area: (Element) -> PixelRect
  ) {
    guard old != new else { return }
    for index in 0..<max(old.count, new.count) {
      let before = index < old.count ? old[index] : nil
      let after = index < new.count ? new[index] : nil
      guard before != after else { continue }
      if let before { insert(area(before)) }
      if let after { insert(area(after)) }
    }
  }

  /// Adds the ring in which a border of `width` may be: four edges, and four corners that are
  /// larger if they are round.
  private mutating func insertRing(of plan: TilePlan, width: Double) {
    let (area, visible) = (plan.area, plan.planes.luma.visible)
    let bound = Double(area.width + area.height)
    let edge = Int(saturating: min(bound, width).rounded(.up)) + 1
    let corner = max(edge, Int(saturating: min(bound, plan.cornerRadius).rounded(.up)) + 1)
    let (right, bottom) = (area.maxX, area.maxY)
    let edges =
      [
        PixelRect(x: area.x, y: area.y, width: area.width, height: edge),
        PixelRect(x: area.x, y: bottom - edge, width: area.width, height: edge),
        PixelRect(x: area.x, y: area.y, width: edge, height: area.height),
        PixelRect(x: right - edge, y: area.y, width: edge, height: area.height),
        PixelRect(x: area.x, y: area.y, width: corner, height: corner),
        PixelRect(x: right - corner, y: area.y, width: corner, height: corner),
        PixelRect(x: area.x, y: bottom - corner, width: corner, height: corner),
        PixelRect(x: right - corner, y: bottom - corner, width: corner, height: corner),
      ] as InlineArray<8, PixelRect>
    for index in edges.indices { insert(edges[index].intersection(visible)) }
  }
}
