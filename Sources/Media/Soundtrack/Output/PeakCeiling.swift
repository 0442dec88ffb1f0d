import TesseraCodecs

/// Lowers sound on its way to a lossy encoder so that the decoded sound stays below a ceiling.
///
/// A trial encoder runs ahead, and its packets are decoded. Where the true peak of the decoded
/// sound exceeds ``decibels``, that stretch is lowered. From then on a further trial follows, which
/// may lower the sound again, until one finds no excess: its samples go to the final encoder.
/// Without any excess, all samples reach the encoder bit-exact. A lossless encoder needs no trial.
/// Memory does not grow with the length.
package struct PeakCeiling: ~Copyable {
  /// The highest true peak after decoding, in dBFS.
  package static let decibels: Float = -1

  private let settings: SoundEncoderSettings
  /// The number of samples per channel in a packet.
  private let packetLength: Int
  /// The trials in the order in which the sound passes them.
  private var trials: [PeakCeilingTrial] = []
  /// The last samples passed on: whole packets, interleaved.
  private var past: [Float] = []

  /// The largest number of trials. Hardly any sound needs a third one; after the last one, any
  /// remaining excess is smaller than its margin.
  private static let mostTrials = 8
  /// The number of packets that a later encoder needs before its output equals that of an earlier
  /// one: 2 s.
  private static let pastPackets = 96

  /// Creates the trials for an encoder with `settings` and packets of `packetLength` samples.
  init(_ settings: SoundEncoderSettings, packetLength: Int) throws(FFmpegError) {
    (self.settings, self.packetLength) = (settings, packetLength)
    if settings.codec.isLossy { trials = [try PeakCeilingTrial(settings, number: 0)] }
  }

  /// The number of times a stretch was lowered, and the largest reduction in decibels.
  package var lowered: (count: Int, decibels: Float) {
    trials.reduce((0, 0)) { ($0.0 + $1.lowered.count, $0.1 + $1.lowered.decibels) }
  }

  /// Takes the next block of interleaved samples. Returns the samples that all trials have passed,
  /// lowered where necessary, for the final encoder; if `isLast`, all that remain.
  ///
  /// A further trial is added once the last trial has lowered sound.
  mutating func pass(_ samples: [Float], isLast: Bool) throws(FFmpegError) -> [Float] {
    var (samples, index) = (samples, 0)
    defer { remember(samples) }
    while index < trials.count {
      let trial = trials[index]
      samples = try trial.pass(samples) + (isLast ? trial.finish() : [])
      index += 1
      if index == trials.count, index < Self.mostTrials, trial.lowered.count > 0 {
        trials.append(try PeakCeilingTrial(settings, number: index, after: past))
      }
    }
    return samples
  }

  /// Keeps the last packets passed on, with which a further trial starts.
  private mutating func remember(_ samples: [Float]) {
    guard !trials.isEmpty else { return }
    past += samples
    let most = 2 * Self.pastPackets * packetLength
    if past.count > 2 * most { past.removeFirst(past.count - most) }
  }
}
