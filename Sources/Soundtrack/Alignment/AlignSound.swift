import Glibc

/// Finds where one recording lies against another of the same sound, and how their clocks differ.
///
/// First the envelopes of several windows are looked for in the whole of the other recording, then
/// the waveforms near the places found. Each window votes for a place; the line that most of them
/// lie on is the result, and how many lie on it is how sure it is.
public enum AlignSound {
  /// Where a recording lies.
  public struct Alignment: Hashable, Sendable, Codable {
    /// Where the recording's beginning lies in the reference, in seconds.
    public var offset: Double
    /// By how much the reference's clock runs faster than the recording's, in parts per million:
    /// second t of the recording lies at offset + t · (1 + ppm / 10⁶).
    public var partsPerMillion: Double
    /// From 0, a guess, to 1, where all windows agree.
    public var confidence: Double

    /// Whether to rely on it.
    public var isSure: Bool { confidence >= AlignSound.leastConfidence }
  }

  /// Samples a second of the sound that is compared.
  public static let sampleRate = 8000
  /// The largest offset that is looked for, in seconds.
  public static let largestOffset = 600.0
  /// The largest difference of clocks, in parts per million.
  public static let largestDrift = 1000.0
  /// Less is too little to rely on.
  public static let leastConfidence = 0.5

  /// Values of the envelope a second.
  private static let envelopeRate = 100
  /// Windows that are looked for, and how long they are: 20 s, less in short recordings.
  private static let (windowCount, windowSeconds) = (12, 20.0)
  /// Seconds around the envelope's place in which the waveform is looked for.
  private static let reach = 0.06
  /// Windows that agree lie on their line to that many seconds.
  private static let (roughTolerance, fineTolerance) = (0.025, 0.004)

  /// A window of the recording and where it lies in the reference, in seconds.
  private struct Vote {
    var time: Double
    var place: Double
    var distance: Double { place - time }
  }

  /// Where `recording` lies in `reference`; both are mono at ``sampleRate``. Without any sound in
  /// common the confidence is near 0.
  public static func align(_ recording: [Float], to reference: [Float]) -> Alignment {
    let envelopes = (envelope(recording), envelope(reference))
    let windows = windows(of: envelopes.0)
    let rough = windows.compactMap { vote(envelopes.0, $0, in: envelopes.1) }
    guard let coarse = consensus(rough, tolerance: roughTolerance) else {
      return Alignment(offset: 0, partsPerMillion: 0, confidence: 0)
    }
    let fine = coarse.votes.compactMap { refine($0, recording, reference, coarse.line) }
    guard let line = consensus(fine, tolerance: fineTolerance) else {
      return Alignment(
        offset: coarse.line.offset, partsPerMillion: coarse.line.drift * 1e6, confidence: 0)
    }
    let share = Double(line.votes.count) / Double(max(1, windows.count))
    // Two windows can lie on a line by chance.
    let isEnough = line.votes.count >= 3
    return Alignment(
      offset: line.line.offset, partsPerMillion: line.line.drift * 1e6,
      confidence: isEnough ? min(1, share * 1.25) : 0)
  }

  // MARK: - Envelopes

  /// How fast the sound gets louder or softer, in decibels, every 10 ms.
  private static func envelope(_ samples: [Float]) -> [Double] {
    let hop = sampleRate / envelopeRate
    var levels: [Double] = []
    for start in stride(from: 0, to: samples.count - hop, by: hop) {
      var (power, previous) = (0.0, Double(samples[start]))
      // The difference of neighbours holds rumble back.
      for sample in samples[start..<start + hop] {
        power += (Double(sample) - previous) * (Double(sample) - previous)
        previous = Double(sample)
      }
      levels.append(10 * log10(power / Double(hop) + 1e-8))
    }
    // What changes within half a second.
    let reach = envelopeRate / 4
    var sums = [0.0]
    for level in levels { sums.append(sums[sums.count - 1] + level) }
    return levels.indices.map { index in
      let (first, last) = (max(0, index - reach), min(levels.count, index + reach + 1))
      return levels[index] - (sums[last] - sums[first]) / Double(last - first)
    }
  }

  /// The windows that are looked for, spread evenly, those in which little happens left out.
  private static func windows(of envelope: [Double]) -> [Range<Int>] {
    let seconds = min(windowSeconds, Double(envelope.count) / Double(envelopeRate) / 3)
    let length = Int(seconds * Double(envelopeRate))
    guard length >= envelopeRate else { return [] }
    let count = 3 * windowCount
    let all = (0..<count).map { number in
      let start = (envelope.count - length) * number / (count - 1)
      return start..<start + length
    }
    let lively = all.filter { energy(envelope[$0]) / Double(length) > 1 }
    let step = max(1, lively.count / windowCount)
    return stride(from: 0, to: lively.count, by: step).prefix(windowCount).map { lively[$0] }
  }

  private static func energy(_ values: ArraySlice<Double>) -> Double {
    values.reduce(0) { $0 + $1 * $1 }
  }

  private static func vote(
    _ envelope: [Double], _ window: Range<Int>, in reference: [Double]
  ) -> Vote? {
    let reach = Int(largestOffset) * envelopeRate
    let first = max(0, window.lowerBound - reach)
    let last = min(reference.count, window.upperBound + reach)
    guard last - first >= window.count else { return nil }
    let part = reference[first..<last]
    let sums = FourierTransform.correlation(envelope[window], in: part, isWhitened: false)
    var energies = [0.0]
    for value in part { energies.append(energies[energies.count - 1] + value * value) }
    let own = energy(envelope[window])
    var (best, bestLikeness) = (0, -1.0)
    for lag in sums.indices {
      let other = energies[lag + window.count] - energies[lag]
      let likeness = sums[lag] / max(1e-9, (own * max(other, own / 100)).squareRoot())
      if likeness > bestLikeness { (best, bestLikeness) = (lag, likeness) }
    }
    guard bestLikeness > 0.15 else { return nil }
    let rate = Double(envelopeRate)
    return Vote(
      time: Double(window.lowerBound) / rate, place: Double(first + best) / rate)
  }

  // MARK: - Waveforms

  private static func refine(
    _ vote: Vote, _ recording: [Float], _ reference: [Float], _ line: Line
  ) -> Vote? {
    let rate = Double(sampleRate)
    let length = Int(4 * rate)
    // The middle of the window.
    let time = vote.time + windowSeconds / 4
    let start = Int(time * rate)
    let expected = Int((line.offset + time * (1 + line.drift)) * rate)
    let around = Int(reach * rate)
    guard start >= 0, start + length <= recording.count, expected - around >= 0,
      expected + length + around <= reference.count
    else { return nil }
    let short = recording[start..<start + length].map { Double($0) }
    let long = reference[(expected - around)..<(expected + length + around)].map { Double($0) }
    // Sound that is the same but for its polarity counts, too.
    let sums = FourierTransform.correlation(short[...], in: long[...], isWhitened: true)
      .map { abs($0) }
    guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }), best > 0,
      best + 1 < sums.count
    else { return nil }
    let mean = sums.reduce(0, +) / Double(sums.count)
    guard sums[best] > 4 * mean else { return nil }
    let (left, middle, right) = (sums[best - 1], sums[best], sums[best + 1])
    let bend = left - 2 * middle + right
    let part = bend < 0 ? 0.5 * (left - right) / bend : 0
    return Vote(
      time: Double(start) / rate,
      place: (Double(expected - around + best) + part) / rate)
  }

  // MARK: - Agreement

  private struct Line {
    var offset: Double
    var drift: Double

    func distance(to vote: Vote) -> Double {
      abs(vote.distance - offset - drift * vote.time)
    }
  }

  /// The line through the places that most votes lie on, and these votes.
  private static func consensus(
    _ votes: [Vote], tolerance: Double
  ) -> (line: Line, votes: [Vote])? {
    var best: [Vote] = []
    for first in votes.indices {
      for second in votes.indices where second >= first {
        let length = votes[second].time - votes[first].time
        let slope = length > 0 ? (votes[second].distance - votes[first].distance) / length : 0
        guard abs(slope) <= largestDrift / 1e6 else { continue }
        let line = Line(
          offset: votes[first].distance - slope * votes[first].time, drift: slope)
        let agreeing = votes.filter { line.distance(to: $0) <= tolerance }
        if agreeing.count > best.count { best = agreeing }
      }
    }
    guard !best.isEmpty else { return nil }
    return (fitted(best), best)
  }

  /// The line through votes by least squares.
  private static func fitted(_ votes: [Vote]) -> Line {
    let count = Double(votes.count)
    let time = votes.reduce(0) { $0 + $1.time } / count
    let distance = votes.reduce(0) { $0 + $1.distance } / count
    let square = votes.reduce(0) { $0 + ($1.time - time) * ($1.time - time) }
    let product = votes.reduce(0) { $0 + ($1.time - time) * ($1.distance - distance) }
    let drift = square > 0 ? product / square : 0
    return Line(offset: distance - drift * time, drift: drift)
  }
}
