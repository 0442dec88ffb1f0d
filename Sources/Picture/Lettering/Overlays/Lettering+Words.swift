package import TesseraCaptions
internal import TesseraLayout
package import TesseraPixels
package import TesseraTimeline

/// Words that are shown while they are said, and when they stand there.
package struct ShownWords: Hashable, Sendable {
  /// The words.
  package var group: WordGroup
  /// When they stand there.
  package var times: TimeRange
  /// The color of the word that is said; nil is that of the look.
  package var color: Color?
  /// How many others stand under them.
  package var level: Int

  /// `group` at `times`.
  package init(_ group: WordGroup, _ times: TimeRange, color: Color? = nil, level: Int = 0) {
    (self.group, self.times, self.color, self.level) = (group, times, color, level)
  }
}

/// The part of a canvas in which words are read, whatever players lay over its edges: those for
/// phones have buttons and titles at the bottom of an upright picture.
package struct WordArea: Hashable, Sendable {
  /// The rows that stay free at the bottom.
  package let bottom: Int
  /// The columns that words take at most.
  package let width: Int
  /// The height of letters with all their space, in pixels.
  let size: Double

  /// The area on `canvas`.
  package init(_ canvas: PixelSize) {
    let (width, height) = (Double(canvas.width), Double(canvas.height))
    let shape = height / width
    let (bottom, share) = shape > 1.5 ? (0.2, 0.78) : shape >= 0.9 ? (0.09, 0.86) : (0.07, 0.7)
    self.bottom = Int(height * bottom)
    self.width = Int(width * share)
    size = max(14, min(width * 0.078, height * 0.062))
  }
}

extension Lettering {
  /// The parts of words that are written without blanks; see ``WordGroup/groups(_:pieces:)``.
  package var wordPieces: (String) -> [String] { pieces }

  /// A color that is read on black and that is the person's own.
  package static func wordColor(of id: String) -> Color {
    var color = Palette.color(of: id)
    while color.contrast(to: .black) < 9 { color = color.mixed(with: .white, share: 0.15) }
    return color
  }

  /// Words over the picture as they are said: two lines at most, white with a dark edge, those to
  /// come paler, the one that is said in color, bold and larger. One overlay for each word.
  ///
  /// - Parameters:
  ///   - shown: the words in the order of their times.
  ///   - canvas: the canvas.
  ///   - place: how far right of the middle words of that size stand at that time, and how many rows
  ///     above the lower edge.
  /// - Returns: the overlays in the order of their times.
  package func words(
    _ shown: [ShownWords], on canvas: PixelSize,
    place: (TimeRange, PixelSize) -> (x: Int, y: Int)
  ) -> [CanvasOverlay] {
    let area = WordArea(canvas)
    var letters = WordLetters(self, color: theme.wordColor)
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
        var items: (under: [ArtGroup.Item], over: [ArtGroup.Item]) = ([], [])
        for (other, part) in parts.enumerated() {
          let state: WordLetters.State =
            other < number ? .past : other == number ? .present : .coming
          let (under, over) = letters.items(
            part.text, layout.fontSize, state, words.color, at: layout.places[other])
          items.under += under
          items.over += over
        }
        let group = ArtGroup(
          anchor: .bottom, x: x, y: -y - words.level * layout.size.height, size: layout.size,
          items: items.under + items.over)
        return CanvasOverlay(from: from, to: to, groups: [group])
      }
    }
  }

  /// Where the words of a group stand: the middle of each, and its line's baseline.
  private struct WordLayout {
    var places: [(x: Double, baseline: Double)] = []
    var size = PixelSize(width: 0, height: 0)
    var fontSize: Double
  }

  private func layout(_ group: WordGroup, _ area: WordArea) -> WordLayout {
    var found = WordLayout(fontSize: area.size)
    let text = group.text
    // Letters get smaller where the words take more than two lines, or one is wider than a line.
    for _ in 0..<8 {
      // Any of them may be the one that is said, which is larger.
      let style = style(found.fontSize * WordLetters.growth, .bold)
      let (_, width) = wrapping([text], style, width: Double(area.width), lines: 2)
      let flow = TextLayout.Flow.paragraph(width: width, lines: 3)
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
        // Letters of other fonts may make a line taller.
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

extension WordGroup {
  /// The bytes of its text that each word has.
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

/// Words as drawings, each drawn once.
private struct WordLetters {
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
    var under: [ArtGroup.Item]
    var over: [ArtGroup.Item]
    var width: Double
    var baseline: Double
  }

  /// How much larger the word is that is said.
  static let growth = 1.08

  private let lettering: Lettering
  private let color: Color
  private var known: [Key: Drawing?] = [:]

  init(_ lettering: Lettering, color: Color) { (self.lettering, self.color) = (lettering, color) }

  /// A word in a state, about a middle and on a baseline: its dark edge, and its letters.
  mutating func items(
    _ text: String, _ size: Double, _ state: State, _ color: Color?,
    at place: (x: Double, baseline: Double)
  ) -> (under: [ArtGroup.Item], over: [ArtGroup.Item]) {
    let key = Key(text: text, size: size, state: state, color: state == .present ? color : nil)
    let drawing = known[key] ?? draw(key)
    known[key] = .some(drawing)
    guard let drawing else { return ([], []) }
    let (x, y) = (
      Int((place.x - drawing.width / 2).rounded()),
      Int((place.baseline - drawing.baseline).rounded())
    )
    func moved(_ items: [ArtGroup.Item]) -> [ArtGroup.Item] {
      items.map { item in
        var item = item
        item.x += x
        item.y += y
        return item
      }
    }
    return (moved(drawing.under), moved(drawing.over))
  }

  private func draw(_ key: Key) -> Drawing? {
    let isPresent = key.state == .present
    let style = lettering.style(
      isPresent ? key.size * Self.growth : key.size, key.state == .coming ? .medium : .bold)
    let layout = TextLayout(key.text, style, .line(maximumWidth: nil), fonts: lettering.fonts)
    guard let drawn = lettering.draw(layout, key.text) else { return nil }
    let logical = layout.extents.logical
    let edge = (key.size * 0.16).rounded(.up)
    let surface = Surface(
      PixelSize(
        width: Int((logical.width + 4 * edge).rounded(.up)),
        height: Int((logical.height + 4 * edge).rounded(.up))))
    let inset = Int(edge) * 2
    layout.outline(
      on: surface, x: Double(inset) - logical.x.rounded(.down),
      y: Double(inset) - logical.y.rounded(.down), width: edge, color: .black)
    let under = lettering.item(
      surface, color: .black, opacity: 0.9, x: -inset, y: -inset)
    // Opaque, so that the edge behind the letters does not darken them.
    let color: Color =
      switch key.state {
      case .past: .white
      case .present: key.color ?? self.color
      case .coming: Color(rgb: 0xc8c8c8)
      }
    var over: [ArtGroup.Item] = []
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
  /// The color of the word that is said: the theme's own where it is read on black, else a yellow.
  fileprivate var wordColor: Color {
    let own = plate.accent ?? highlight.color
    return own != .white && own.contrast(to: .black) >= 9 ? own : Color(rgb: 0xffd60a)
  }
}
