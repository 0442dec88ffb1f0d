/// A named part of the canvas with a grid of cells, as in Twilio's `video_layout`.
package struct Region: Hashable, Sendable {
  /// What becomes of a cell when its source has left, and of a source that finds no free one.
  package enum Reuse: String, Hashable, Sendable, CaseIterable {
    /// A cell is used once; who finds none is not shown.
    case none
    /// A cell that is free again is given away; of several in one cell the first to come is shown.
    case showOldest = "show_oldest"
    /// As ``showOldest``, but the last to come is shown.
    case showNewest = "show_newest"
  }

  /// A length along one side: the region's, or that of each of its cells.
  package enum Extent: Hashable, Sendable {
    /// From the region's position to the canvas's edge.
    case remaining
    /// The region's, in pixels.
    case region(Int)
    /// A cell's, in pixels.
    case cell(Int)
  }

  /// The name, for messages.
  package var name: String
  /// Patterns of the sources that are shown; `*` stands for any letters.
  package var sources: [String]
  /// Patterns of the sources that are not shown all the same.
  package var excludedSources: [String] = []
  /// The distance from the canvas's left edge.
  package var x = 0
  /// The distance from the canvas's top edge.
  package var y = 0
  /// Higher is in front.
  package var z = 0
  /// The width.
  package var width = Extent.remaining
  /// The height.
  package var height = Extent.remaining
  /// The most columns; nil for any number.
  package var maxColumns: Int?
  /// The most rows; nil for any number.
  package var maxRows: Int?
  /// The cells that stay empty, counted row by row from 0.
  package var excludedCells: Set<Int> = []
  /// What becomes of cells.
  package var reuse = Reuse.showOldest
  /// The distance between cells, and to the region's edges where it is smaller than the canvas.
  package var border = 2

  /// The region `name` over the whole canvas.
  package init(name: String, sources: [String]) {
    self.name = name
    self.sources = sources
  }

  /// Whether the region shows a source of one of these names.
  func shows(_ names: [String]) -> Bool {
    Self.areNamed(names, by: sources) && !excludes(names)
  }

  /// Whether the region leaves out a source of one of these names.
  func excludes(_ names: [String]) -> Bool { Self.areNamed(names, by: excludedSources) }

  private static func areNamed(_ names: [String], by patterns: [String]) -> Bool {
    patterns.contains { pattern in names.contains { $0.matches(pattern) } }
  }
}

extension String {
  /// Whether the whole text is like `pattern`, in which `*` stands for any letters.
  ///
  /// Goes back to the last `*` only, so it takes at most text times pattern steps.
  func matches(_ pattern: String) -> Bool {
    let (text, pattern) = (utf8.span, pattern.utf8.span)
    let star = UInt8(ascii: "*")
    var (index, next) = (0, 0)
    var retry: (index: Int, next: Int)?
    while index < text.count {
      if next < pattern.count, pattern[next] == star {
        next += 1
        retry = (index, next)
      } else if next < pattern.count, pattern[next] == text[index] {
        (index, next) = (index + 1, next + 1)
      } else if let last = retry {
        (index, next) = (last.index + 1, last.next)
        retry = (index, next)
      } else {
        return false
      }
    }
    return (next..<pattern.count).allSatisfy { pattern[$0] == star }
  }
}
