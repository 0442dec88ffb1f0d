import TesseraProof

/// Frames in which nothing moves though something was to, between others that do.
///
/// Encoders leave out what moves little, and make up for it later: how much that is depends on them. So a frame only stands
/// still where frames that were to move by about as much did, all of them.
struct StillFrames {
  /// A frame by its number: how many levels it was to move by, and the part of it that was kept.
  private struct Frame {
    var number: Int
    var (expected, part): (Double, Double)
  }

  /// The last frames that were to move.
  private var last: [Frame] = []
  /// Frames up to now in which nothing moves, what is kept usually, and what they were.
  private var open: (frames: ClosedRange<Int>, usual: Double, all: [Frame])?
  private var found: [ClosedRange<Int>] = []
  /// How much the frame before moved, and how much of that was not to be.
  private var (before, ahead) = (0.0, 0.0)

  private enum Limit {
    /// Levels that pictures change by where it is looked at, and where they say what is usual.
    static let (motion, little) = (0.5, 0.25)
    /// How many times more or less motion is about as much.
    static let alike = 2.0
    /// The part of the motion that the frame before may have shown already.
    static let ahead = 0.5
    /// The part of the motion that each of those frames has to keep.
    static let kept = 0.5
    /// The part of what is kept usually below which nothing moves.
    static let still = 0.3
    /// The part of it that has to come after one frame or a few, and after more, in which much has been left out.
    static let (next, later) = (0.8, 1.5)
    /// Frames that are few.
    static let few = 3
    /// How many frames before say what is usual, and the fewest of them that do.
    static let (window, least) = (24, 6)
    /// Within how many frames before one of them has to be: at the beginning of motion encoders are late.
    static let near = 6
  }

  /// Looks at frame `number`, which was to change by `expected` levels from the one before.
  mutating func see(_ number: Int, expected: Double, found motion: Double?) {
    guard let motion else {
      (open, last) = (nil, [])
      return
    }
    // After a cut, and where all of the picture was refreshed, encoders rest.
    let isAlike = before <= Limit.alike * expected && ahead <= Limit.ahead * expected
    (before, ahead) = (motion, motion - expected)
    guard expected >= Limit.little else { return }
    let frame = Frame(number: number, expected: expected, part: motion / expected)
    let first = open?.frames.lowerBound ?? number
    last.removeAll { $0.number < first - Limit.window }
    if isAlike, let usual = usual(expected, before: first), frame.part < Limit.still * usual {
      open = (
        first...number, usual, (open?.all ?? []) + [frame]
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
  }

  /// The part that frames before `number` keep of about as much motion; nil where that is not known, or not looked at.
  private func usual(_ expected: Double, before number: Int) -> Double? {
    guard expected >= Limit.motion else { return nil }
    let range = expected / Limit.alike...expected * Limit.alike
    let alike = last.filter { range ~= $0.expected }
    let parts = alike.map(\.part).sorted()
    guard parts.count >= Limit.least, parts[0] >= Limit.kept,
      alike.contains(where: { $0.number >= number - Limit.near })
    else { return nil }
    return parts[parts.count / 2]
  }

  /// Those that have ended, once.
  mutating func ended() -> [ClosedRange<Int>] {
    defer { found = [] }
    return found
  }
}
