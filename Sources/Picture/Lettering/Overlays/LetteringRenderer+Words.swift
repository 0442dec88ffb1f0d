package import TesseraCaptions
internal import TesseraLayout
package import TesseraPixels
package import TesseraTimeline

/// A group of words shown while they are spoken (karaoke captions), and the time range in which it
/// is visible.
package struct WordCaption: Hashable, Sendable {
  package var group: CaptionWordGroup
  /// The time range in which the words are visible.
  package var times: TimeRange
  /// The color of the spoken word; `nil` is the theme's.
  package var color: Color?
  /// The level above the bottom of the safe area; 0 is the lowest.
  package var level: Int

  package init(_ group: CaptionWordGroup, _ times: TimeRange, color: Color? = nil, level: Int = 0) {
    (self.group, self.times, self.color, self.level) = (group, times, color, level)
  }
}

/// The part of a canvas in which words are readable whatever players draw over its edges. Players
/// for phones have buttons and titles at the bottom of an upright picture.
package struct CaptionSafeArea: Hashable, Sendable {
  /// The number of rows that stay free at the bottom.
  package let bottom: Int
  /// The largest width of words in pixels.
  package let width: Int
  /// The font size in pixels.
  let size: Double

  /// Creates the area for `canvas`.
  package init(_ canvas: PixelSize) {
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    let shape = height / width
    let (bottom, share) = shape > 1.5 ? (0.2, 0.78) : shape >= 0.9 ? (0.09, 0.86) : (0.07, 0.7)
    self.bottom = Int(height * bottom)
    self.width = Int(width * share)
    size = max(14, min(width * 0.078, height * 0.062))
  }
}

extension LetteringRenderer {
  /// Splits a word written without blanks into parts; see ``CaptionWordGroup/groups(_:pieces:)``.
  package var wordPieces: (String) -> [String] { pieces }

  /// Returns a color derived from the participant's identifier that is readable on black (contrast
  /// of at least 9:1).
  package static func wordColor(of id: String) -> Color {
    var color = ParticipantPalette.color(of: id)
    while color.contrast(to: .black) < 9 { color = color.mixed(with: .white, share: 0.15) }
    return color
  }

  /// Draws words over the picture as they are spoken, with one overlay for each word.
  ///
  /// There are at most two lines, white with a dark outline. Words to come are paler; the spoken
  /// word is in color, bold and larger.
  ///
  /// - Parameters:
  ///   - shown: The word groups in the order of their times.
  ///   - canvas: The canvas size.
  ///   - place: Returns the position of words of a size in a time range: pixels right of the
  ///     center, and rows above the lower edge.
  /// - Returns: The overlays in the order of their times.
  package func words(
    _ shown: [WordCaption], on canvas: PixelSize,
    place: (TimeRange, PixelSize) -> (x: Int, y: Int)
  ) -> [CanvasOverlay] {
    let area = CaptionSafeArea(canvas)
    var letters = WordDrawingCache(self, color: theme.wordColor)
    return shown.flatMap { words -> [CanvasOverlay] in
      let layout = layout(words.group, area)
      guard !layout.places.isEmpty else { return [] }
      var room = layout.size
      room.height *= words.level + 1
      let (x, y) = place(words.times, room)
      let parts = words.group.parts
      return parts.indices.compactMap { number in
        let from = number == 0 ? words.times.start : parts[number].from
        let to = number + 1 < parts.count ? parts[number + 1].from : words.times.end
        guard from < to else { return nil }
        var items: (under: [DrawingGroup.Item], over: [DrawingGroup.Item]) = ([], [])
        for (other, part) in parts.enumerated() {
          let state: WordDrawingCache.State =
            other < number ? .past : other == number ? .present : .coming
          let (under, over) = letters.items(
            part.text, layout.fontSize, state, words.color, at: layout.places[other])
          items.under += under
          items.over += over
        }
        let group = DrawingGroup(
          anchor: .bottom, x: x, y: -y - words.level * layout.size.height, size: layout.size,
          items: items.under + items.over)
        return CanvasOverlay(from: from, to: to, groups: [group])
      }
    }
  }

  /// The layout of a word group: the center of each word, and its line's baseline.
  private struct WordGroupLayout {
    var places: [(x: Double, baseline: Double)] = []
    var size = PixelSize(width: 0, height: 0)
    var fontSize: Double
  }

  private func layout(_ group: CaptionWordGroup, _ area: CaptionSafeArea) -> WordGroupLayout {
    var found = WordGroupLayout(fontSize: area.size)
    let text = group.text
    // Letters are made smaller if the words take more than two lines or one word is wider than a
    // line.
    for _ in 0..<8 {
      // Every word is measured in the larger size of the spoken word.
      let style = style(found.fontSize * WordDrawingCache.growth, .bold)
      let (_, width) = wrapping([text], style, width: Double(area.width), lines: 2)
      let flow = TextLayout.Wrapping.paragraph(width: width, lines: 3)
      let layout = TextLayout(text, style, flow, fonts: fonts)
      let whole = layout.extents.logical
      let ranges = group.ranges
      guard layout.lineCount <= 2, whole.width <= Double(area.width), !layout.isCut,
        ranges.allSatisfy({ layout.isOnOneLine($0) })
      else {
        found.fontSize *= 0.85
        continue
      }
      let pad = (found.fontSize * 0.3).rounded(.up)
      let rects = ranges.map { layout.place(of: $0) }
      let baselines = group.parts.map { line($0.text, style)?.baseline ?? 0 }
      found.places = rects.enumerated().map { number, rect in
        // Characters from other fonts may make a line taller.
        let line = zip(rects, baselines).filter { $0.0.y == rect.y }.map(\.1).max() ?? 0
        return (rect.x + rect.width / 2 - whole.x + pad, rect.y - whole.y + line + pad)
      }
      found.size = PixelSize(
        width: Int((whole.width + 2 * pad).rounded(.up)),
        height: Int((whole.height + 2 * pad).rounded(.up)))
      return found
    }
    return found
  }
}

extension CaptionWordGroup {
  /// The byte range of each word in the group's text.
  fileprivate var ranges: [Range<Int>] {
    var (ranges, end) = ([Range<Int>](), 0)
    for (number, part) in parts.enumerated() {
      let start = end + (number > 0 && !part.isJoined ? 1 : 0)
      end = start + part.text.utf8.count
      ranges.append(start..<end)
    }
    return ranges
  }
}

/// Draws words and caches each drawing.
private struct WordDrawingCache {
  enum State {
    case past
    case present
    case coming
  }

  private struct Key: Hashable {
    var text: String
    var size: Double
    var state: State
    var color: Color?
  }

  private struct Drawing {
    var under: [DrawingGroup.Item]
    var over: [DrawingGroup.Item]
    var width: Double
    var baseline: Double
  }

  /// The size of the spoken word relative to the other words.
  static let growth = 1.08

  private let lettering: LetteringRenderer
  private let color: Color
  private var known: [Key: Drawing?] = [:]

  init(_ lettering: LetteringRenderer, color: Color) {
    (self.lettering, self.color) = (lettering, color)
  }

  /// Returns a word in a state, around a center and on a baseline: its dark outline, and its
  /// letters.
  mutating func items(
    _ text: String, _ size: Double, _ state: State, _ color: Color?,
    at place: (x: Double, baseline: Double)
  ) -> (under: [DrawingGroup.Item], over: [DrawingGroup.Item]) {
    let key = Key(text: text, size: size, state: state, color: state == .present ? color : nil)
    let drawing = known[key] ?? draw(key)
    known[key] = .some(drawing)
    guard let drawing else { return ([], []) }
    let (x, y) = (
      Int((place.x - drawing.width / 2).rounded()),
      Int((place.baseline - drawing.baseline).rounded())
    )
    return (
      drawing.under.map { $0.moved(by: x, y) }, drawing.over.map { $0.moved(by: x, y) }
    )
  }

  private func draw(_ key: Key) -> Drawing? {
    let isPresent = key.state == .present
    let style = lettering.style(
      isPresent ? key.size * Self.growth : key.size, key.state == .coming ? .medium : .bold)
    let layout = TextLayout(key.text, style, .line(maximumWidth: nil), fonts: lettering.fonts)
    guard let drawn = lettering.draw(layout, key.text) else { return nil }
    let logical = layout.extents.logical
    let edge = (key.size * 0.16).rounded(.up)
    let surface = CairoSurface(
      PixelSize(
        width: Int((logical.width + 4 * edge).rounded(.up)),
        height: Int((logical.height + 4 * edge).rounded(.up))))
    let inset = Int(edge) * 2
    layout.outline(
      on: surface, x: Double(inset) - logical.x.rounded(.down),
      y: Double(inset) - logical.y.rounded(.down), width: edge, color: .black)
    let under = lettering.item(
      surface, color: .black, opacity: 0.9, x: -inset, y: -inset)
    // The letters are opaque, so that the outline behind them does not darken them.
    let color: Color =
      switch key.state {
      case .past: .white
      case .present: key.color ?? self.color
      case .coming: Color(rgb: 0xc8c8c8)
      }
    var over: [DrawingGroup.Item] = []
    if let letters = drawn.letters {
      over += lettering.item(
        letters.content, color: color, x: letters.x, y: letters.y)
    }
    if let pictures = drawn.pictures {
      over += lettering.item(pictures.content, x: pictures.x, y: pictures.y)
    }
    return Drawing(under: under, over: over, width: drawn.width, baseline: drawn.baseline)
  }
}

extension Theme {
  /// The color of the spoken word: the theme's accent or highlight color if it is readable on
  /// black, otherwise a yellow.
  fileprivate var wordColor: Color {
    let own = plate.accent ?? highlight.color
    return own != .white && own.contrast(to: .black) >= 9 ? own : Color(rgb: 0xffd60a)
  }
}
