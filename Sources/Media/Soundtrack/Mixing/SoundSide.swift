/// One of the two sides of stereo sound.
package enum SoundSide: String, CaseIterable, Hashable, Sendable, Codable {
  case left
  case right

  /// Puts what is on this side of interleaved samples on both.
  func center(_ samples: inout [Float]) {
    let side = self == .left ? 0 : 1
    for index in samples.indices { samples[index] = samples[index & ~1 | side] }
  }
}

/// Finds out whether sound is on one side only: a microphone on one channel of two.
struct SideDetector {
  /// The steps in which something is heard on each side.
  private var counts = [0, 0]

  /// Fewer steps may be clicks: 0.2 s.
  private static let least = 10
  /// What is quieter is not heard: -60 dB relative to full scale.
  private static let silence: Float = 0.001
  /// What is quieter than the other side by more has come over from there: 36 dB.
  private static let crossTalk: Float = 0.016

  /// Takes the largest samples of a step on both sides.
  mutating func add(_ peaks: (left: Float, right: Float)) {
    let heard = max(Self.silence, Self.crossTalk * max(peaks.left, peaks.right))
    if peaks.left >= heard { counts[0] += 1 }
    if peaks.right >= heard { counts[1] += 1 }
  }

  /// Whether both sides are heard, whatever follows.
  var hasBoth: Bool { counts.allSatisfy { $0 >= Self.least } }

  /// The side that alone is heard; nil where that is both or none.
  var onlySide: SoundSide? {
    hasBoth || counts.allSatisfy { $0 < Self.least } ? nil : counts[0] > counts[1] ? .left : .right
  }
}
