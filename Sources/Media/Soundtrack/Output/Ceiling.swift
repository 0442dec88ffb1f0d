import TesseraCodecs

/// Lowers sound on its way to an encoder so that what a player decodes stays below a ceiling.
///
/// A first encoder runs ahead and its packets are decoded. Where the true peak of what comes out is
/// above ``decibels``, the sound is lowered for that stretch, and from then on another trial
/// follows, which may lower it further, and so on until one finds nothing: its samples are what the
/// last encoder gets. Where nothing is above the ceiling, every sample reaches the encoder as it
/// is. An encoder that loses nothing gets no trial. Memory does not grow with the length.
package struct Ceiling: ~Copyable {
  /// The highest true peak after decoding, in decibels relative to full scale.
  package static let decibels: Float = -1

  private let settings: SoundEncoderSettings
  /// The samples of a packet.
  private let packetLength: Int
  private var trials: [CeilingTrial] = []
  /// The last samples that went on: whole packets, interleaved.
  private var past: [Float] = []

  /// Hardly any sound needs a third trial; what is still above the ceiling after the last one is so
  /// by less than its margin.
  private static let mostTrials = 8
  /// Packets after which an encoder that begins later does the same: 2 s.
  private static let pastPackets = 96

  /// The ceiling of what an encoder of these settings makes packets of `packetLength` samples of.
  init(_ settings: SoundEncoderSettings, packetLength: Int) throws(FFmpegError) {
    (self.settings, self.packetLength) = (settings, packetLength)
    if settings.codec.isLossy { trials = [try CeilingTrial(settings, number: 0)] }
  }

  /// How many times a stretch was lowered, and by how many decibels at most.
  package var lowered: (count: Int, decibels: Float) {
    trials.reduce((0, 0)) { ($0.0 + $1.lowered.count, $0.1 + $1.lowered.decibels) }
  }

  /// Takes the next interleaved samples, a block at a time, and returns what all trials let through;
  /// at the end the rest. Another trial is added where the last of them lowered anything.
  mutating func pass(_ samples: [Float], isLast: Bool) throws(FFmpegError) -> [Float] {
    var (samples, index) = (samples, 0)
    defer { remember(samples) }
    while index < trials.count {
      let trial = trials[index]
      samples = try trial.pass(samples) + (isLast ? trial.finish() : [])
      index += 1
      if index == trials.count, index < Self.mostTrials, trial.lowered.count > 0 {
        trials.append(try CeilingTrial(settings, number: index, after: past))
      }
    }
    return samples
  }

  private mutating func remember(_ samples: [Float]) {
    guard !trials.isEmpty else { return }
    past += samples
    let most = 2 * Self.pastPackets * packetLength
    if past.count > 2 * most { past.removeFirst(past.count - most) }
  }
}
