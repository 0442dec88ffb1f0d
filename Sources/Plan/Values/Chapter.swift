package import TesseraTimeline

/// A mark on the timeline that players offer to jump to.
package struct Chapter: Hashable, Sendable, Codable {
  /// Where it begins.
  package var start: MediaTime
  /// What it is called.
  package var title: String

  /// `title` from `start` on.
  package init(start: MediaTime, title: String) { (self.start, self.title) = (start, title) }
}
