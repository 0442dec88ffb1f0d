public import TesseraTimeline

/// A mark on the timeline that players offer to jump to.
public struct Chapter: Hashable, Sendable, Codable {
  /// Where it begins.
  public var start: MediaTime
  /// What it is called.
  public var title: String

  /// `title` from `start` on.
  public init(start: MediaTime, title: String) { (self.start, self.title) = (start, title) }
}
