/// Finds frozen frames in the middle of motion.
///
/// Encoders skip small motion and catch up later, each codec to a different degree. So a frame only
/// counts as frozen if all recent frames with about the same amount of motion did move.
struct FrozenFrameDetector {
  /// A frame with its composed motion in levels and the fraction of it that was found.
  private struct Frame {
    var number: Int
    var (expected, part): (Double, Double)
  }

  /// The last frames that had to move and did.
  private var last: [Frame] = []
  /// The current frozen frames, the usual fraction of motion before them, and their measurements.
  private var open: (frames: ClosedRange<Int>, usual: Double, all: [Frame])?
  private var found: [ClosedRange<Int>] = []
  /// The motion found in the previous frame, and its excess over the composed motion.
  private var (before, ahead) = (0.0, 0.0)

  private enum Limit {
    /// Levels of composed motion: the least for a frame to be judged, and the least to count as
    /// usual.
    static let (motion, little) = (0.5, 0.25)
    /// The ratio of motions up to which they count as about equal.
    static let alike = 2.0
    /// The fraction of a frame's motion that the previous frame may have shown ahead.
    static let ahead = 0.5
    /// The fraction of motion that each reference frame has to keep.
    static let kept = 0.5
    /// The fraction of the usual motion below which a frame counts as frozen.
    static let still = 0.3
    /// The fraction of the usual motion that has to follow: after up to ``few`` frozen frames, and
    /// after more, which leave more to catch up with.
    static let (next, later) = (0.8, 1.5)
    /// The largest number of frozen frames that counts as few.
    static let few = 3
    /// The number of frames before that serve as reference, and the least number with equal motion.
    static let (window, least) = (24, 6)
    /// A reference frame has to be within this many frames: encoders lag when motion starts.
    static let near = 6
  }

  /// Takes frame `number` with its composed and its found change from the frame before, in levels.
  ///
  /// `nil` as `motion`, after a missing frame, starts again without references.
  mutating func see(_ number: Int, expected: Double, found motion: Double?) {
    guard let motion else {
      (open, last) = (nil, [])
      return
    }
    // After a cut, and after a refresh of the whole picture, encoders skip motion.
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

  /// Returns the median fraction that frames before `number` keep of about as much motion; `nil` if
  /// too few or too different ones are known, or if `expected` is too small.
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

  /// Removes and returns the frozen stretches found since the last call.
  mutating func ended() -> [ClosedRange<Int>] {
    defer { found = [] }
    return found
  }
}
