package import TesseraCaptions
internal import TesseraLayout
package import TesseraPixels
package import TesseraTimeline

extension LetteringRenderer {
  /// Draws `cues` on the canvas, white on dark boxes, one overlay for every time range with
  /// constant text. Cues that overlap are stacked, the earlier one above.
  ///
  /// Captions are at the bottom, in two or three lines, at most `room` pixels wide in that time
  /// range. They are `clearance` pixels above the canvas's edge, which depends on time and size and
  /// keeps plates free, but at least a twentieth of the canvas's height. They are `shift` pixels
  /// right of the center.
  package func captions(
    _ cues: [CaptionCue], on canvas: PixelSize,
    room: ((TimeRange) -> Int)? = nil, shift: (TimeRange) -> Int = { _ in 0 },
    clearance: (TimeRange, PixelSize) -> Int = { _, _ in 0 }
  ) -> [CanvasOverlay] {
    struct Key: Hashable {
      var lines: [String]
      var room: Int
    }
    var drawn: [Key: DrawingGroup?] = [:]
    return Self.stretches(cues).compactMap { stretch in
      let times = TimeRange(start: stretch.from, end: stretch.to)
      let room = room?(times) ?? canvas.width
      let key = Key(lines: stretch.lines, room: room)
      let drawing = drawn[key] ?? caption(stretch.lines, on: canvas, room: room)
      drawn[key] = .some(drawing)
      guard var group = drawing else { return nil }
      group.x = shift(times)
      group.y = -max(clearance(times, group.size), canvas.height / 20)
      return CanvasOverlay(from: stretch.from, to: stretch.to, groups: [group])
    }
  }

  /// Splits `cues`, which are sorted by time, into ranges of constant text that do not overlap. A
  /// range has the lines of at most the last four cues.
  package static func stretches(_ cues: [CaptionCue]) -> [CaptionCue] {
    let times = Set(cues.flatMap { [$0.from, $0.to] }).sorted()
    var (next, shown) = (0, [CaptionCue]())
    var stretches: [CaptionCue] = []
    for (from, to) in zip(times, times.dropFirst()) {
      shown.removeAll { $0.to <= from }
      while next < cues.count, cues[next].from <= from {
        shown.append(cues[next])
        next += 1
      }
      // More than a few cues at once are not captions, but would take time.
      if shown.count > mostAtOnce { shown.removeFirst(shown.count - mostAtOnce) }
      guard !shown.isEmpty else { continue }
      stretches.append(CaptionCue(from: from, to: to, lines: shown.flatMap(\.lines)))
    }
    return stretches
  }

  private static let mostAtOnce = 4

  /// Draws one caption at the canvas's bottom edge, at most `room` pixels wide; `nil` if there is
  /// no text.
  func caption(
    _ lines: [String], on canvas: PixelSize, room: Int = .max
  ) -> DrawingGroup? {
    let plain = lines.map { TextSanitizer.line($0) }.filter { !$0.isEmpty }
    guard !plain.isEmpty else { return nil }
    let size = max(12, min(Double(canvas.height) * 0.042, Double(canvas.width) * 0.04))
    let letters = style(size, .regular)
    let lines = max(3, min(4, plain.count))
    let limit = min(Double(canvas.width) * 0.8, Double(room) - size)
    let (text, width) = wrapping(plain, letters, width: limit, lines: lines)
    let flow = TextLayout.Wrapping.paragraph(width: width, lines: lines)
    let layout = TextLayout(text, letters, flow, fonts: fonts)
    guard let drawn = draw(layout, text) else { return nil }
    let (padX, padY) = (Int((size * 0.5).rounded()), Int((size * 0.28).rounded()))
    let box = PixelSize(
      width: drawn.ink.width + 2 * padX, height: Int(drawn.height.rounded(.up)) + 2 * padY)
    let (x, y) = (padX - drawn.ink.x, padY)
    let under = self.box(PixelRect(box), radius: size * 0.22, color: .black, opacity: 0.72)
    let items = under + items(drawn, color: .white, x: x, y: y, limits: PixelRect(box))
    return DrawingGroup(anchor: .bottom, x: 0, y: 0, size: box, items: items)
  }
}
