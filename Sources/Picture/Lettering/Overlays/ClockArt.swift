package import TesseraPixels
package import TesseraTimeline

/// The digits of a running clock, drawn once, so that it runs without fonts.
package struct ClockArt: Hashable, Sendable, Codable {
  /// The plate under texts of that many characters.
  private let plates: [Int: [ArtGroup.Item]]
  /// What each character looks like, from the left edge of its space.
  private let characters: [String: [ArtGroup.Item]]
  /// The width of each character's space in pixels.
  private let widths: [String: Int]
  /// From the plate's edge to the first character.
  private let padding: Int
  private let height: Int
  /// What follows the digits, from the end of theirs.
  private let suffix: [ArtGroup.Item]
  /// The width of ``suffix`` with the space before it; 0 where there is none.
  private let suffixWidth: Int
  /// Where an empty clock lies.
  private let place: ArtGroup

  /// The clock when it shows `text`: digits and colons, as ``text(elapsed:)`` makes them. Others
  /// are left out.
  package func group(_ text: String) -> ArtGroup {
    let shown = text.map { String($0) }.filter { widths[$0] != nil }
    var x = padding
    var items = plates[shown.count] ?? []
    for character in shown {
      items += (characters[character] ?? []).map { item in
        var item = item
        item.x += x
        return item
      }
      x += widths[character] ?? 0
    }
    items += suffix.map { item in
      var item = item
      item.x += x
      return item
    }
    var group = place
    group.size = PixelSize(width: x + suffixWidth + padding, height: height)
    group.items = items
    return group
  }

  /// A time since the start as a clock shows it: `4:05`, or `1:02:03` from an hour on; what lies
  /// before the start is `0:00`.
  package static func text(elapsed time: MediaTime) -> String { max(time, .zero).clock }

  /// The time of a day as a clock shows it, `09:04:05`: `seconds` since midnight, of any day.
  package static func text(secondsOfDay seconds: Int64) -> String {
    let second = Int((seconds % 86400 + 86400) % 86400)
    let parts = [second / 3600, second / 60 % 60, second % 60]
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  fileprivate init(
    plates: [Int: [ArtGroup.Item]], characters: [String: [ArtGroup.Item]],
    widths: [String: Int], padding: Int, height: Int, suffix: [ArtGroup.Item], suffixWidth: Int,
    place: ArtGroup
  ) {
    (self.plates, self.characters, self.widths) = (plates, characters, widths)
    (self.suffix, self.suffixWidth) = (suffix, suffixWidth)
    (self.padding, self.height, self.place) = (padding, height, place)
  }
}

extension Lettering {
  /// A clock on the canvas with letters of `height` of its height; `suffix`, such as a time zone,
  /// follows the digits.
  package func clock(
    on canvas: PixelSize, place: CanvasPlace = CanvasPlace(.topLeft), height: Double = 0.026,
    suffix: String = ""
  ) -> ClockArt {
    let size = max(11, Double(canvas.height) * max(0, min(1, height)))
    let style = style(size, theme.plate.weight, hasEvenDigits: true)
    let rows = Int((size * 0.95).rounded()) * 2
    let drawn = "0123456789:".map { (String($0), line(String($0), style)) }
    let digitWidth = drawn.prefix(10).map { Int(($0.1?.width ?? 0).rounded(.up)) }.max() ?? 0
    var characters: [String: [ArtGroup.Item]] = [:]
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
    // m:ss, mm:ss, h:mm:ss, hh:mm:ss and hundreds of hours.
    var plates: [Int: [ArtGroup.Item]] = [:]
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
    return ClockArt(
      plates: plates, characters: characters, widths: widths, padding: padding, height: rows,
      suffix: suffixItems, suffixWidth: suffixWidth, place: empty)
  }
}
