package import TesseraCaptions
internal import TesseraLayout
package import TesseraPixels
package import TesseraTimeline

/// How captions look on the picture.
package enum CaptionStyle: String, Hashable, Sendable, Codable, CaseIterable {
  /// White on a dark box.
  case box
  /// White with a black outline.
  case outline
}

extension Lettering {
  /// What is seen of `cues` on the canvas, one overlay for every stretch in which it is the same:
  /// cues that overlap stand together, the earlier one above.
  ///
  /// Captions are at most as wide as `room` says for that time. They stand at the bottom, in two
  /// lines or three, as many pixels above the canvas's edge as `clearance` says for one of that
  /// size at that time (a twentieth of the canvas's height where that is more), so plates can keep
  /// their space, and as many pixels right of the middle as `shift` says.
  package func captions(
    _ cues: [CaptionCue], on canvas: PixelSize, style: CaptionStyle = .box,
    room: ((TimeRange) -> Int)? = nil, shift: (TimeRange) -> Int = { _ in 0 },
    clearance: (TimeRange, PixelSize) -> Int = { _, _ in 0 }
  ) -> [CanvasOverlay] {
    struct Key: Hashable {
      var lines: [String]
      var room: Int
    }
    var drawn: [Key: ArtGroup?] = [:]
    return Self.stretches(cues).compactMap { stretch in
      let times = TimeRange(start: stretch.from, end: stretch.to)
      let room = room?(times) ?? canvas.width
      let key = Key(lines: stretch.lines, room: room)
      let drawing = drawn[key] ?? caption(stretch.lines, on: canvas, style: style, room: room)
      drawn[key] = .some(drawing)
      guard var group = drawing else { return nil }
      group.x = shift(times)
      group.y = -max(clearance(times, group.size), canvas.height / 20)
      return CanvasOverlay(from: stretch.from, to: stretch.to, groups: [group])
    }
  }

  /// The times between which the same of `cues`, which are in the order of their times, are shown,
  /// with all their lines: nothing overlaps any more. Of more than four at once, the last four.
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
      // More than a few at once are not captions, but would cost time.
      if shown.count > mostAtOnce { shown.removeFirst(shown.count - mostAtOnce) }
      guard !shown.isEmpty else { continue }
      stretches.append(CaptionCue(from: from, to: to, lines: shown.flatMap(\.lines)))
    }
    return stretches
  }

  private static let mostAtOnce = 4

  /// One caption on the canvas's edge, at most as wide as `room`; nil where there is nothing to
  /// read.
  func caption(
    _ lines: [String], on canvas: PixelSize, style: CaptionStyle, room: Int = .max
  ) -> ArtGroup? {
    let plain = lines.map { PlainText.line($0) }.filter { !$0.isEmpty }
    guard !plain.isEmpty else { return nil }
    let size = max(12, min(Double(canvas.height) * 0.042, Double(canvas.width) * 0.04))
    let letters = self.style(size, style == .box ? .regular : .bold)
    let lines = max(3, min(4, plain.count))
    let limit = min(Double(canvas.width) * 0.8, Double(room) - size)
    let (text, width) = wrapping(plain, letters, width: limit, lines: lines)
    let flow = TextLayout.Flow.paragraph(width: width, lines: lines)
    let layout = TextLayout(text, letters, flow, fonts: fonts)
    guard let drawn = draw(layout, text) else { return nil }
    let (padX, padY) = (Int((size * 0.5).rounded()), Int((size * 0.28).rounded()))
    let box = PixelSize(
      width: drawn.ink.width + 2 * padX, height: Int(drawn.height.rounded(.up)) + 2 * padY)
    let (x, y) = (padX - drawn.ink.x, padY)
    let under =
      style == .box
      ? self.box(PixelRect(box), radius: size * 0.22, color: .black, opacity: 0.72)
      : outline(layout, drawn, box, x: x, y: y, width: size * 0.18)
    let items = under + items(drawn, color: .white, x: x, y: y, limits: PixelRect(box))
    return ArtGroup(anchor: .bottom, x: 0, y: 0, size: box, items: items)
  }

  /// The black edge around letters.
  private func outline(
    _ layout: borrowing TextLayout, _ drawn: DrawnText, _ box: PixelSize, x: Int, y: Int,
    width: Double
  ) -> [ArtGroup.Item] {
    let surface = Surface(box)
    let logical = layout.extents.logical
    layout.outline(
      on: surface, x: Double(x) - logical.x.rounded(.down), y: Double(y) - logical.y.rounded(.down),
      width: width, color: .black)
    return item(surface, color: .black, opacity: 0.9)
  }
}
