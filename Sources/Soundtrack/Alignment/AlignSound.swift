import Glibc
import TesseraTimeline

/// Finds where one recording lies against another of the same sound, and how their clocks differ.
///
/// First the envelopes of several windows are looked for in the whole of the other recording, then
/// the waveforms near the places found. Each window votes for a place; the line that most of them
/// lie on is the result, and how many lie on it is how sure it is.
package enum AlignSound {
  /// Where a recording lies.
  package struct Alignment: Hashable, Sendable {
    /// Where the recording's beginning lies in the reference, in seconds.
    package var offset = 0.0
    /// By how much the reference's clock runs faster than the recording's, in parts per million:
    /// second t of the recording lies at offset + t · (1 + ppm / 10⁶).
    package var partsPerMillion = 0.0
    /// By how much each of both hears the other late, in seconds; 0 where that is not to be seen.
    package var delay = 0.0
    /// The windows with sound in them whose waveforms were compared.
    package var windowCount = 0
    /// How many of them agree on the place.
    package var agreeingCount = 0

    /// From 0, nothing in common, to 1, where all windows agree.
    package var confidence: Double {
      windowCount == 0 ? 0 : Double(agreeingCount) / Double(windowCount)
    }

    /// Whether to rely on it.
    package var isSure: Bool {
      confidence >= AlignSound.leastConfidence && agreeingCount >= AlignSound.leastAgreeing
    }
  }

  /// The largest offset that is looked for, in seconds.
  package static let largestOffset = 600.0
  /// The largest difference of clocks, in parts per million.
  package static let largestDrift = 1000.0
  /// The latest that people are heard in each other's recordings, in seconds.
  package static let largestDelay = 0.24
  /// Less is too little to rely on. Windows of unlike sound agree one time in fourteen.
  package static let leastConfidence = 0.25
  /// So few windows may agree by chance.
  package static let leastAgreeing = 5

  /// Windows whose envelopes are looked for, and how long they are: less in short recordings.
  private static let (roughCount, roughSeconds) = (24, 20.0)
  /// Windows whose waveforms are compared, likewise.
  private static let (fineCount, fineSeconds) = (48, 3.0)
  /// Seconds around the envelope's place in which the waveform is looked for: that place is that of
  /// either's voice.
  private static let reach = 0.06 + 2 * largestDelay
  /// Seconds that the compared windows keep from the reference's ends.
  private static let margin = 0.07
  /// Windows that agree lie on their line to that many seconds.
  private static let (roughTolerance, fineTolerance) = (0.025, 0.002)
  /// How like two envelopes have to be, and how like another place may be to the best one.
  private static let (leastLikeness, mostAmbiguous) = (0.15, 0.9)
  /// Two windows always lie on a line.
  private static let leastRough = 3
  /// How far the envelope of a window has to swing to tell anything: its variance in square
  /// decibels.
  private static let leastSwing = 1.0
  /// The correlation of unlike sound hardly ever rises so far above its mean.
  private static let leastPeak = 6.0

  /// Where `recording` lies in `reference`. Without any sound in common the confidence is near 0.
  package static func align(
    _ recording: SoundSketch, to reference: SoundSketch
  ) -> Alignment {
    let (own, other) = (recording.envelope, reference.envelope)
    let rough = roughWindows(of: own).compactMap { vote(own, $0, in: other) }
    guard let coarse = AlignmentLine.through(rough, tolerance: roughTolerance),
      coarse.votes.count >= leastRough
    else {
      return Alignment()
    }
    let windows = fineWindows(recording, reference, own, coarse.line)
    let votes = windows.compactMap { refine($0, recording, reference, coarse.line) }
    var found = Alignment(
      offset: coarse.line.offset, partsPerMillion: coarse.line.drift * 1e6,
      windowCount: windows.count)
    if let fine = AlignmentPair(votes, tolerance: fineTolerance) {
      found.offset = fine.line.offset
      found.partsPerMillion = fine.line.drift * 1e6
      found.delay = fine.delay
      found.agreeingCount = fine.agreeingCount
    }
    return found
  }

  // MARK: - Envelopes

  /// The windows that are looked for, spread evenly, those in which little happens left out.
  private static func roughWindows(of envelope: [Double]) -> [Range<Int>] {
    let rate = Double(SoundSketch.envelopeRate)
    let length = Int(saturating: min(roughSeconds, Double(envelope.count) / rate / 3) * rate)
    guard length >= SoundSketch.envelopeRate else { return [] }
    let lively = spread(3 * roughCount, from: 0, to: envelope.count - length)
      .map { $0..<$0 + length }
      .filter { swing(of: envelope[$0]) > leastSwing }
    return spread(roughCount, from: 0, to: lively.count - 1).map { lively[$0] }
  }

  /// At most `count` numbers spread evenly over a range, each once.
  private static func spread(_ count: Int, from first: Int, to last: Int) -> [Int] {
    guard last >= first else { return [] }
    let steps = min(count - 1, last - first)
    return steps == 0 ? [first] : (0...steps).map { first + (last - first) * $0 / steps }
  }

  private static func swing(of values: ArraySlice<Double>) -> Double {
    values.isEmpty ? 0 : values.reduce(0) { $0 + $1 * $1 } / Double(values.count)
  }

  /// Where the envelope of a window is most like that of the reference.
  private static func vote(
    _ envelope: [Double], _ window: Range<Int>, in reference: [Double]
  ) -> AlignmentLine.Vote? {
    let reach = Int(saturating: largestOffset) * SoundSketch.envelopeRate
    let first = max(0, window.lowerBound - reach)
    let last = min(reference.count, window.upperBound + reach)
    guard last - first >= window.count else { return nil }
    let part = reference[first..<last]
    let sums = FourierTransform.correlation(envelope[window], in: part, isWhitened: false)
    var energies = [0.0]
    energies.reserveCapacity(part.count + 1)
    for value in part { energies.append(energies[energies.count - 1] + value * value) }
    let own = energy(envelope[window])
    let likenesses = sums.indices.map { lag in
      let other = energies[lag + window.count] - energies[lag]
      return sums[lag] / max(1e-9, (own * max(other, own / 100)).squareRoot())
    }
    guard let best = likenesses.indices.max(by: { likenesses[$0] < likenesses[$1] }),
      likenesses[best] > leastLikeness
    else { return nil }
    // Music that repeats itself lies anywhere; people who hear each other late lie in two places.
    let near = Int(saturating: 2 * largestDelay * Double(SoundSketch.envelopeRate))
    let others = likenesses.indices.lazy.filter { abs($0 - best) > near }
    let next = others.map { likenesses[$0] }.max() ?? 0
    guard next < mostAmbiguous * likenesses[best] else { return nil }
    let rate = Double(SoundSketch.envelopeRate)
    return AlignmentLine.Vote(
      time: Double(window.lowerBound) / rate, place: Double(first + best) / rate)
  }

  private static func energy(_ values: ArraySlice<Double>) -> Double {
    values.reduce(0) { $0 + $1 * $1 }
  }

  // MARK: - Waveforms

  /// The windows, in samples, whose waveforms are compared: where both recordings have something
  /// as `line` says, those in which little happens left out.
  private static func fineWindows(
    _ recording: SoundSketch, _ reference: SoundSketch, _ envelope: [Double],
    _ line: AlignmentLine
  ) -> [Range<Int>] {
    let rate = Double(SoundSketch.sampleRate)
    let begin = max(0, margin - line.offset)
    let end = min(
      Double(recording.count) / rate, line.time(at: Double(reference.count) / rate - margin))
    let length = Int(saturating: min(fineSeconds, (end - begin) / 4) * rate)
    guard length >= SoundSketch.sampleRate / 2 else { return [] }
    let hop = SoundSketch.sampleRate / SoundSketch.envelopeRate
    let lively = spread(
      3 * fineCount, from: Int(saturating: begin * rate), to: Int(saturating: end * rate) - length
    )
    .map { $0..<$0 + length }
    .filter { window in
      let part = window.lowerBound / hop..<min(envelope.count, window.upperBound / hop)
      return swing(of: envelope[part]) > leastSwing
    }
    return spread(fineCount, from: 0, to: lively.count - 1).map { lively[$0] }
  }

  /// Where the waveform of a window lies near the place that `line` gives it.
  private static func refine(
    _ window: Range<Int>, _ recording: SoundSketch, _ reference: SoundSketch,
    _ line: AlignmentLine
  ) -> AlignmentLine.Vote? {
    let rate = Double(SoundSketch.sampleRate)
    let time = Double(window.lowerBound) / rate
    let around = Int(saturating: reach * rate)
    let first = Int(saturating: line.place(of: time) * rate) - around
    let last = first + window.count + 2 * around
    let (own, other) = (recording.samples(window), reference.samples(first..<last))
    // Sound that is the same but for its polarity counts, too.
    let sums = FourierTransform.correlation(own[...], in: other[...], isWhitened: true)
      .map { abs($0) }
    guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }), best > 0,
      best + 1 < sums.count
    else { return nil }
    let mean = sums.reduce(0, +) / Double(sums.count)
    guard sums[best] > leastPeak * mean else { return nil }
    let (left, middle, right) = (sums[best - 1], sums[best], sums[best + 1])
    let bend = left - 2 * middle + right
    let part = bend < 0 ? 0.5 * (left - right) / bend : 0
    // A window that drifts is found where its middle lies.
    let half = Double(window.count) / rate / 2
    let found = best..<best + window.count
    let quiet = 1e-6
    return AlignmentLine.Vote(
      time: time + half, place: (Double(first + best) + part) / rate + half,
      nearness: 10 * log10((energy(own[...]) + quiet) / (energy(other[found]) + quiet)))
  }
}
