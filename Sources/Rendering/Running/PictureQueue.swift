import TesseraPixels

/// The next few pictures of one participant, each with the first frame that shows it.
struct PictureQueue {
  /// A picture and when it is shown.
  struct Entry: Sendable {
    var frame: Int
    var picture: Picture
  }

  private var entries: [Entry?]
  private var head = 0
  private(set) var count = 0
  /// Whether no further pictures come; set once, with the frame from which on what was decoded no
  /// longer stands for what the file should show, if there is one.
  private(set) var end: End?

  /// How a participant's pictures ended.
  struct End: Sendable {
    /// The first frame that lacks its picture because decoding stopped too early; nil where
    /// nothing is missing.
    var lostFrom: Int?
  }

  /// A queue for up to `capacity` pictures.
  init(capacity: Int) { entries = Array(repeating: nil, count: capacity) }

  var isFull: Bool { count == entries.count }

  mutating func append(_ entry: Entry) {
    precondition(!isFull)
    entries[(head + count) % entries.count] = entry
    count += 1
  }

  mutating func finish(_ end: End) { self.end = end }

  /// Takes the first picture if it is shown by `frame`.
  mutating func take(by frame: Int) -> Entry? {
    guard count > 0, let first = entries[head], first.frame <= frame else { return nil }
    entries[head] = nil
    head = (head + 1) % entries.count
    count -= 1
    return first
  }
}
