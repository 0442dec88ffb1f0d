package import TesseraCodecs

/// What one voice contributed to the mix, and what was lost of it.
package struct VoiceReport: Hashable, Sendable, Codable {
  /// Samples, per channel, that came out of the decoder, at the file's rate.
  package var decodedSamples = 0
  /// Samples, per channel at 48 kHz, that were mixed.
  package var mixedSamples = 0
  /// Samples, per channel at 48 kHz, that were dropped because others already lay there.
  package var droppedSamples = 0
  /// Samples, per channel at 48 kHz, that were made up for lost packets by going on with the sound
  /// before them.
  package var concealedSamples = 0
  /// The same where the packet after them repeats what they held.
  package var recoveredSamples = 0
  /// Samples of silence, at 48 kHz, in the gaps between what was recorded.
  package var silentSamples = 0
  /// Samples, at 48 kHz, by which the voice was stretched or shortened against clock drift.
  package var stretchedSamples = 0.0
  /// By how much the voice's clock differs from its times, in parts per million; above 0 where it
  /// is slow.
  package var driftPartsPerMillion = 0.0
  /// How often sound was moved, because something is missing or recorded twice.
  package var breakCount = 0
  /// Samples, counted in each channel, that could not be sound and were replaced by silence.
  package var repairedSamples = 0
  /// What could not be read or decoded.
  package var losses: [MediaLoss] = []
  /// Why the voice is not heard at all; nil where it is.
  package var failure: Failure?

  /// Why a voice is not heard.
  package enum Failure: Hashable, Sendable, Codable {
    /// Its file cannot be read.
    case unreadable(MediaError)
    /// It cannot be brought from this rate, in Hz, to that of the mix.
    case sampleRate(Int)
  }

  /// A voice that was not heard yet.
  package init() {}

  /// Whether something was recorded that is not heard as it was.
  package var hasLosses: Bool { failure != nil || !losses.isEmpty || repairedSamples > 0 }
}

extension VoiceReport {
  /// The counts since `earlier`, a report on the same voice.
  func since(_ earlier: VoiceReport) -> VoiceReport {
    var report = self
    for count in Self.counts { report[keyPath: count] -= earlier[keyPath: count] }
    report.stretchedSamples -= earlier.stretchedSamples
    report.losses = losses.compactMap { loss in
      let known = earlier.losses.first { $0.stream == loss.stream && $0.code == loss.code }
      guard let known else { return loss }
      guard case .undecodablePackets(let all, let words) = loss.cause,
        case .undecodablePackets(let some, _) = known.cause, all > some
      else { return nil }
      var rest = loss
      rest.cause = .undecodablePackets(all - some, words)
      return rest
    }
    return report
  }

  /// This and what the same voice contributed to the next piece of a mix.
  package func joined(with next: VoiceReport) -> VoiceReport {
    var report = self
    for count in Self.counts { report[keyPath: count] += next[keyPath: count] }
    report.stretchedSamples += next.stretchedSamples
    if next.driftPartsPerMillion != 0 { report.driftPartsPerMillion = next.driftPartsPerMillion }
    report.breakCount = max(breakCount, next.breakCount)
    report.losses = losses.merged(with: next.losses)
    report.failure = failure ?? next.failure
    return report
  }

  /// The counts that add up.
  private static var counts: [WritableKeyPath<VoiceReport, Int>] {
    [
      \.decodedSamples, \.mixedSamples, \.droppedSamples, \.concealedSamples, \.recoveredSamples,
      \.silentSamples, \.repairedSamples,
    ]
  }
}
