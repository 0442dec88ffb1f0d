package import TesseraMedia

/// Encodes sound so that what a player decodes stays below a ceiling.
///
/// A first encoder runs ahead and its packets are decoded. Where the true peak of what comes out is
/// above ``ceilingDecibels``, the sound is lowered for that stretch, and from then on another trial
/// follows, which may lower it further, and so on until one finds nothing: its samples are what the
/// last encoder gets. Where nothing is above the ceiling, every sample reaches the encoder as it
/// is. An encoder that loses nothing gets no trial. Memory does not grow with the length.
package struct CeilingEncoder: ~Copyable {
  /// The highest true peak after decoding, in decibels relative to full scale.
  package static let ceilingDecibels: Float = -1

  /// The encoder whose packets are put out.
  package var encoder: AudioEncoder
  private var trials: [CeilingTrial] = []
  /// The last samples that the encoder got: whole packets, interleaved.
  private var past: [Float] = []

  /// Hardly any sound needs a third trial; what is still above the ceiling after the last one is so
  /// by less than its margin.
  private static let mostTrials = 8
  /// Packets after which an encoder that begins later does the same: 2 s.
  private static let pastPackets = 96

  /// How many times a stretch was lowered, and by how many decibels at most.
  package var lowered: (count: Int, decibels: Float) {
    trials.reduce((0, 0)) { ($0.0 + $1.lowered.count, $0.1 + $1.lowered.decibels) }
  }

  /// Opens an encoder and its trials.
  package static func open(_ settings: SoundEncoderSettings) throws(FFmpegError) -> CeilingEncoder {
    let encoder = try AudioEncoder.open(settings)
    let trials = settings.codec.isLossy ? [try CeilingTrial(settings, number: 0)] : []
    return CeilingEncoder(encoder: encoder, trials: trials)
  }

  private init(encoder: consuming AudioEncoder, trials: [CeilingTrial]) {
    self.encoder = encoder
    self.trials = trials
  }

  /// Encodes the next interleaved samples, any number of them.
  package mutating func encode(_ samples: [Float]) throws(FFmpegError) -> [EncodedPacket] {
    let tried = try pass(samples, isLast: false)
    return tried.isEmpty ? [] : try encoder.encode(tried.span)
  }

  /// Ends the stream and returns what was held back.
  package mutating func finish() throws(FFmpegError) -> [EncodedPacket] {
    let rest = try pass([], isLast: true)
    return try (rest.isEmpty ? [] : encoder.encode(rest.span)) + encoder.finish()
  }

  /// What all trials let through, another one added where the last of them lowered anything.
  private mutating func pass(_ samples: [Float], isLast: Bool) throws(FFmpegError) -> [Float] {
    var (samples, index) = (samples, 0)
    defer { remember(samples) }
    while index < trials.count {
      let trial = trials[index]
      samples = try trial.pass(samples) + (isLast ? trial.finish() : [])
      index += 1
      if index == trials.count, index < Self.mostTrials, trial.lowered.count > 0 {
        trials.append(try CeilingTrial(encoder.settings, number: index, after: past))
      }
    }
    return samples
  }

  private mutating func remember(_ samples: [Float]) {
    guard !trials.isEmpty else { return }
    past += samples
    let most = 2 * Self.pastPackets * encoder.packetLength
    if past.count > 2 * most { past.removeFirst(past.count - most) }
  }
}
