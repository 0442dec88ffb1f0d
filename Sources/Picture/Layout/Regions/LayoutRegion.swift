/// A named part of the canvas with a grid of cells, as in Twilio's `video_layout`.
package struct LayoutRegion: Hashable, Sendable {
  /// The rule for a cell whose source has left, and for a source that finds no free cell.
  package enum Reuse: String, Hashable, Sendable, CaseIterable {
    /// A cell is used once. A source that finds no free cell is not shown.
    case none
    /// A free cell is reused. If several sources share a cell, the first to arrive is shown.
    case showOldest = "show_oldest"
    /// A free cell is reused. If several sources share a cell, the last to arrive is shown.
    case showNewest = "show_newest"
  }

  /// A length along one side, of the region or of each of its cells.
  package enum Extent: Hashable, Sendable {
    /// The region extends from its position to the canvas's edge.
    case remaining
    /// The region's length in pixels.
    case region(Int)
    /// The length of each cell in pixels.
    case cell(Int)
  }

  /// The region's name, for messages.
  package var name: String
  /// Patterns of the sources to show; `*` matches any letters.
  package var sources: [String]
  /// Patterns of the sources not to show even though ``sources`` match them.
  package var excludedSources: [String] = []
  /// The region's distance from the canvas's left edge in pixels.
  package var x = 0
  /// The region's distance from the canvas's top edge in pixels.
  package var y = 0
  /// The stacking order; higher is in front.
  package var z = 0
  package var width = Extent.remaining
  package var height = Extent.remaining
  /// The largest number of columns; `nil` sets no limit.
  package var maxColumns: Int?
  /// The largest number of rows; `nil` sets no limit.
  package var maxRows: Int?
  /// The indexes of cells that stay empty, counted row by row from 0.
  package var excludedCells: Set<Int> = []
  /// The rule for reusing cells.
  package var reuse = Reuse.showOldest
  /// The distance in pixels between cells, and to the region's edges where they are inside the
  /// canvas.
  package var border = 2

  /// True if the region shows a source that has one of `names`.
  func shows(_ names: [String]) -> Bool {
    Self.areNamed(names, by: sources) && !excludes(names)
  }

  /// True if the region excludes a source that has one of `names`.
  func excludes(_ names: [String]) -> Bool { Self.areNamed(names, by: excludedSources) }

  private static func areNamed(_ names: [String], by patterns: [String]) -> Bool {
    patterns.contains { pattern in names.contains { $0.matches(pattern) } }
  }
}

extension String {
  /// True if the whole text matches `pattern`, in which `*` matches any letters.
  ///
  /// Backtracks to the last `*` only, so it takes at most text length times pattern length steps.
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
