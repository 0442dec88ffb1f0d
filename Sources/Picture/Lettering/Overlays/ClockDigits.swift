package import TesseraPixels
package import TesseraTimeline

/// The drawn digits of a running clock, from which a renderer composes any time without fonts.
package struct ClockDigits: Hashable, Sendable, Codable {
  /// The background plate for each number of characters.
  private let plates: [Int: [DrawingGroup.Item]]
  /// The drawing of each character, positioned relative to the left edge of its cell.
  private let characters: [String: [DrawingGroup.Item]]
  /// The width of each character's cell in pixels.
  private let widths: [String: Int]
  /// The distance from the plate's edge to the first character in pixels.
  private let padding: Int
  private let height: Int
  /// The drawing of the text after the digits, positioned relative to their end.
  private let suffix: [DrawingGroup.Item]
  /// The width of ``suffix`` with the space before it in pixels; 0 if there is none.
  private let suffixWidth: Int
  /// An empty clock at the clock's position.
  private let place: DrawingGroup

  /// Returns the clock that shows `text`, made of digits and colons as by ``text(elapsed:)``. Other
  /// characters are left out.
  package func group(_ text: String) -> DrawingGroup {
    let shown = text.map { String($0) }.filter { widths[$0] != nil }
    var x = padding
    var items = plates[shown.count] ?? []
    for character in shown {
      items += (characters[character] ?? []).map { $0.moved(by: x, 0) }
      x += widths[character] ?? 0
    }
    items += suffix.map { $0.moved(by: x, 0) }
    var group = place
    group.size = PixelSize(width: x + suffixWidth + padding, height: height)
    group.items = items
    return group
  }

  /// Formats a time since the start for a clock: `4:05`, or `1:02:03` from one hour on. Times
  /// before the start are `0:00`.
  package static func text(elapsed time: MediaTime) -> String { max(time, .zero).clock }

  /// Formats a time of day for a clock, `09:04:05`. `seconds` count from midnight of any day.
  package static func text(secondsOfDay seconds: Int64) -> String {
    let second = Int((seconds % 86400 + 86400) % 86400)
    let parts = [second / 3600, second / 60 % 60, second % 60]
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  fileprivate init(
    plates: [Int: [DrawingGroup.Item]], characters: [String: [DrawingGroup.Item]],
    widths: [String: Int], padding: Int, height: Int, suffix: [DrawingGroup.Item], suffixWidth: Int,
    place: DrawingGroup
  ) {
    (self.plates, self.characters, self.widths) = (plates, characters, widths)
    (self.suffix, self.suffixWidth) = (suffix, suffixWidth)
    (self.padding, self.height, self.place) = (padding, height, place)
  }
}

extension LetteringRenderer {
  /// Draws a clock for the canvas. `height` is the letters' size as a fraction of the canvas's
  /// height. `suffix`, such as a time zone, follows the digits.
  package func clock(
    on canvas: PixelSize, place: CanvasPosition = CanvasPosition(.topLeft), height: Double = 0.026,
    suffix: String = ""
  ) -> ClockDigits {
    let size = max(11, Double(canvas.height) * max(0, min(1, height)))
    let style = style(size, theme.plate.weight, hasEvenDigits: true)
    let rows = Int((size * 0.95).rounded()) * 2
    let drawn = "0123456789:".map { (String($0), line(String($0), style)) }
    let digitWidth = drawn.prefix(10).map { Int(($0.1?.width ?? 0).rounded(.up)) }.max() ?? 0
    var characters: [String: [DrawingGroup.Item]] = [:]
    var widths: [String: Int] = [:]
    for (character, text) in drawn {
      guard let text else { continue }
      let width = character == ":" ? Int((text.width * 1.1).rounded(.up)) : digitWidth
      let top = Int((Double(rows) / 2 + size * 0.357 - text.baseline).rounded())
      widths[character] = width
      characters[character] = items(
        text, color: theme.plate.textColor, x: (width - text.ink.width) / 2 - text.ink.x, y: top,
        limits: PixelRect(x: 0, y: 0, width: width, height: rows))
    }
    let padding = Int((size * 0.6).rounded())
    let space = Int((size * 0.35).rounded())
    let zone = line(suffix, self.style(size * 0.8, theme.plate.weight))
    let suffixWidth = zone.map { space + Int($0.width.rounded(.up)) } ?? 0
    let suffixItems =
      zone.map { zone in
        items(
          zone, color: theme.plate.textColor, x: space,
          y: Int((Double(rows) / 2 + size * 0.357 - zone.baseline).rounded()),
          limits: PixelRect(x: 0, y: 0, width: suffixWidth + padding, height: rows))
      } ?? []
    // The formats are m:ss, mm:ss, h:mm:ss, hh:mm:ss and hundreds of hours.
    var plates: [Int: [DrawingGroup.Item]] = [:]
    for (count, colons) in [(4, 1), (5, 1), (7, 2), (8, 2), (9, 2)] {
      let width =
        (count - colons) * digitWidth + colons * (widths[":"] ?? 0) + suffixWidth
        + 2 * padding
      plates[count] = box(
        PixelRect(x: 0, y: 0, width: width, height: rows),
        radius: theme.plate.roundness * Double(rows) / 2, color: theme.plate.color,
        opacity: theme.plate.opacity)
    }
    let empty = group([], PixelSize(width: 2 * padding, height: rows), at: place, canvas: canvas)
    return ClockDigits(
      plates: plates, characters: characters, widths: widths, padding: padding, height: rows,
      suffix: suffixItems, suffixWidth: suffixWidth, place: empty)
  }
}
