package import TesseraCodecs

/// The contribution of one voice to the mix, and its losses.
package struct VoiceReport: Hashable, Sendable, Codable {
  /// The number of decoded samples per channel, at the file's rate.
  package var decodedSamples = 0
  /// The number of mixed samples per channel at 48 kHz.
  package var mixedSamples = 0
  /// The number of samples per channel at 48 kHz that were dropped because they overlap earlier
  /// sound.
  package var droppedSamples = 0
  /// The number of samples per channel at 48 kHz that the decoder extrapolated in place of lost
  /// packets.
  package var concealedSamples = 0
  /// The number of samples per channel at 48 kHz that were recovered from the packet after a lost
  /// one (forward error correction).
  package var recoveredSamples = 0
  /// The number of silent samples at 48 kHz in the gaps between recorded sound.
  package var silentSamples = 0
  /// The number of samples at 48 kHz by which drift correction stretched or shortened the voice.
  package var stretchedSamples = 0.0
  /// The voice's clock drift in parts per million; positive if its clock is slow.
  package var driftPartsPerMillion = 0.0
  /// The number of times that sound was moved because samples are missing or duplicated.
  package var breakCount = 0
  /// The number of invalid samples, counted in each channel, that were replaced by silence.
  package var repairedSamples = 0
  /// The parts of the file that could not be read or decoded.
  package var losses: [MediaLoss] = []
  /// The reason why the voice is silent throughout; `nil` if it is not.
  package var failure: Failure?

  /// The reason why a voice is silent throughout.
  package enum Failure: Hashable, Sendable, Codable {
    /// The file cannot be read.
    case unreadable(MediaError)
    /// The sound cannot be resampled from this rate, in hertz.
    case sampleRate(Int)
  }

  /// Creates a report with all counts at zero.
  package init() {}
}

extension VoiceReport {
  /// Returns the difference from `earlier`, a previous report on the same voice.
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

  /// Returns the sum of this report and the report on the same voice in the next piece of a mix.
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

  /// The properties that ``since(_:)`` and ``joined(with:)`` subtract and add.
  private static var counts: [WritableKeyPath<VoiceReport, Int>] {
    [
      \.decodedSamples, \.mixedSamples, \.droppedSamples, \.concealedSamples, \.recoveredSamples,
      \.silentSamples, \.repairedSamples,
    ]
  }
}
