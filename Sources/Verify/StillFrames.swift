import TesseraProof

/// Frames in which nothing moves though something was to, between others that do.
///
/// Encoders leave out what moves little, and make up for it later: how much that is depends on them. So a frame only stands
/// still where frames that were to move by about as much did, all of them.
struct StillFrames {
  /// Motion that was to be, in levels, and the part of it that was kept.
  private struct Frame {
    var (expected, part): (Double, Double)
  }

  /// The last frames that were to move.
  private var last: [Frame] = []
  /// Frames up to now in which nothing moves, what is kept usually, and what they were.
  private var open: (frames: ClosedRange<Int>, usual: Double, all: [Frame])?
  private var found: [ClosedRange<Int>] = []
  /// Whether much more moved in the frame before than was to: an encoder refreshed all of it, and rests.
  private var isRefreshed = false

  private enum Limit {
    /// Levels that pictures change by where it is looked at, and where they say what is usual.
    static let (motion, little) = (0.5, 0.25)
    /// How many times as much motion as there was to be, and half a level more, is a refreshed picture.
    static let refreshed = 2.0
    /// How many times more or less motion is about as much.
    static let alike = 2.0
    /// The part of the motion that each of those frames has to keep.
    static let kept = 0.5
    /// The part of what is kept usually below which nothing moves.
    static let still = 0.3
    /// The part of it that has to come after one frame or a few, and after more, in which much has been left out.
    static let (next, later) = (0.8, 1.5)
    /// Frames that are few.
    static let few = 3
    /// How many frames are remembered, and the fewest that say what is usual.
    static let (window, least) = (16, 6)
  }

  /// Looks at frame `number`, which was to change by `expected` levels from the one before.
  mutating func see(_ number: Int, expected: Double, found motion: Double?) {
    guard let motion else {
      (open, last) = (nil, [])
      return
    }
    let isAfterRefresh = isRefreshed
    isRefreshed = motion > Limit.refreshed * expected + 0.5
    guard expected >= Limit.little else { return }
    let frame = Frame(expected: expected, part: motion / expected)
    if !isAfterRefresh, let usual = usual(expected), frame.part < Limit.still * usual {
      open = (
        (open?.frames.lowerBound ?? number)...number, usual, (open?.all ?? []) + [frame]
      )
      return
    }
    if let still = open {
      let wanted = still.frames.count > Limit.few ? Limit.later : Limit.next
      if frame.part >= wanted * still.usual {
        found.append(still.frames)
      } else {
        last += still.all
      }
      open = nil
    }
    last.append(frame)
    last.removeFirst(max(0, last.count - Limit.window))
  }

  /// The part that is kept of about as much motion; nil where that is not known, or not looked at.
  private func usual(_ expected: Double) -> Double? {
    guard expected >= Limit.motion else { return nil }
    let alike = expected / Limit.alike...expected * Limit.alike
    let parts = last.filter { alike ~= $0.expected }.map(\.part).sorted()
    guard parts.count >= Limit.least, parts[0] >= Limit.kept else { return nil }
    return parts[parts.count / 2]
  }

  /// Those that have ended, once.
  mutating func ended() -> [ClosedRange<Int>] {
    defer { found = [] }
    return found
  }
}
