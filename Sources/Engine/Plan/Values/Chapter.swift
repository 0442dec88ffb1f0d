public import TesseraTimeline

/// A chapter of an output, which players list and seek to.
public struct Chapter: Hashable, Sendable, Codable {
  /// The start of the chapter in the output.
  public var start: MediaTime
  public var title: String

  public init(start: MediaTime, title: String) { (self.start, self.title) = (start, title) }
}
