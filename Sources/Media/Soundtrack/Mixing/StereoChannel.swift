/// A channel of stereo sound.
package enum StereoChannel: String, CaseIterable, Hashable, Sendable, Codable {
  case left
  case right

  /// Copies this channel of interleaved samples to both channels.
  func center(_ samples: inout [Float]) {
    let side = self == .left ? 0 : 1
    for index in samples.indices { samples[index] = samples[index & ~1 | side] }
  }
}

/// Detects sound on one channel only, such as a microphone connected to one channel of two.
struct SingleChannelDetector {
  /// The number of audible steps in each channel.
  private var counts = [0, 0]

  /// The least number of audible steps: 0.2 s. Fewer may be clicks.
  private static let least = 10
  /// The amplitude below which a channel is inaudible: -60 dBFS.
  private static let silence: Float = 0.001
  /// The ratio of amplitudes below which a channel contains only crosstalk: -36 dB.
  private static let crossTalk: Float = 0.016

  /// Adds the peaks of both channels in a step.
  mutating func add(_ peaks: (left: Float, right: Float)) {
    let heard = max(Self.silence, Self.crossTalk * max(peaks.left, peaks.right))
    if peaks.left >= heard { counts[0] += 1 }
    if peaks.right >= heard { counts[1] += 1 }
  }

  /// True if both channels are audible. Later steps cannot change this.
  var hasBoth: Bool { counts.allSatisfy { $0 >= Self.least } }

  /// The only audible channel; `nil` if both or none are audible.
  var onlySide: StereoChannel? {
    hasBoth || counts.allSatisfy { $0 < Self.least } ? nil : counts[0] > counts[1] ? .left : .right
  }
}
