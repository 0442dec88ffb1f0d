import Glibc
import TesseraTimeline

/// Where the owner of one recording is heard in another.
///
/// First the envelopes of several windows are looked for in the whole of the other recording, then
/// the waveforms near the places found. Each window votes for a place.
struct AlignmentSearch {
  /// Where the windows lie, at times of their middles.
  private(set) var votes: [AlignmentLine.Vote] = []
  /// The windows whose waveforms were compared.
  private(set) var windowCount = 0
  /// The line that most of the votes lie on, and these votes; nil where they are not enough.
  private(set) var found: (line: AlignmentLine, votes: [AlignmentLine.Vote])?

  /// By how many decibels most who agree are louder than in the other recording, each relative to
  /// its owner.
  private(set) var nearness = 0.0
  /// By how many decibels they are louder just so.
  private(set) var gain = 0.0

  /// The places of windows all over the recording, if the lag seems to change suddenly.
  private(set) var tracked: [AlignmentLine.Vote] = []

  /// Votes that agree lie on their line to that many seconds.
  static let tolerance = 0.002

  /// Windows whose envelopes are looked for, and how long they are: less in short recordings.
  private static let (roughCount, roughSeconds) = (24, 20.0)
  /// Windows whose waveforms are compared, likewise.
  private static let (fineCount, fineSeconds) = (48, 3.0)
  /// Seconds around the envelope's place in which the waveform is looked for.
  private static let reach = 0.06
  /// Seconds that the compared windows keep from the other recording's ends.
  private static let margin = 0.07
  /// Envelopes that agree lie on their line to that many seconds.
  static let roughTolerance = 0.025
  /// How like two envelopes have to be, and how like another place may be to the best one, that
  /// many seconds away.
  private static let (leastLikeness, mostAmbiguous, leastAway) = (0.1, 0.9, 0.25)
  /// Two windows always lie on a line.
  private static let leastRough = 3
  /// The correlation of unlike sound hardly ever rises so far above its mean.
  private static let leastPeak = 6.0
  /// What is heard so many seconds later is an echo.
  private static let echo = 0.04
  /// So many windows that agree on nothing may have another line.
  private static let leastRest = 12
  /// Owners are so much nearer to their microphones than to others.
  private static let leastNearness = 4.0
  /// Whoever is nearer to another microphone by so many decibels is its owner.
  private static let mostNearness = 6.0

  /// Looks for `voice` in all of `other`.
  init(for voice: AlignmentVoice, in other: AlignmentVoice) {
    let rough = Self.rough(voice, in: other)
    if let line = Self.line(through: rough, atLeast: Self.leastRough) {
      self.init(for: voice, in: other, near: line)
    } else {
      self.init()
    }
    if Self.isStepped(rough, Self.roughTolerance) || Self.isStepped(votes, Self.tolerance) {
      tracked = LagTracker.votes(of: voice, in: other, near: rough)
    }
  }

  /// The places of `voice` in `other` by the envelopes of its windows, to 25 ms.
  static func rough(_ voice: AlignmentVoice, in other: AlignmentVoice) -> [AlignmentLine.Vote] {
    let rate = Double(SoundSketch.envelopeRate)
    let seconds = min(roughSeconds, Double(voice.envelope.count) / rate / 3)
    guard seconds >= 1 else { return [] }
    return voice.windows(
      roughCount, length: Int(saturating: seconds * rate), in: 0..<voice.envelope.count
    )
    .compactMap { vote(voice.own, $0, in: other.envelope) }
  }

  /// The line that at least `count` coarse places are on; `nil` if there is none.
  static func line(through rough: [AlignmentLine.Vote], atLeast count: Int) -> AlignmentLine? {
    AlignmentLine.through(rough, tolerance: roughTolerance)
      .flatMap { $0.votes.count >= count ? $0.line : nil }
  }

  /// At most `count` windows of 3 s, shorter ones in short recordings, in which the owner speaks; they overlap by half
  /// at most.
  static func windows(of voice: AlignmentVoice, _ count: Int) -> [Range<Int>] {
    let frames = voice.envelope.count
    let length = min(Int(saturating: fineSeconds) * SoundSketch.envelopeRate, frames / 4)
    var windows: [Range<Int>] = []
    for window in voice.windows(count, length: length, in: 0..<frames)
    where window.lowerBound - (windows.last?.lowerBound ?? -length) >= length / 2 {
      windows.append(window)
    }
    return windows
  }

  /// True if the lag of `votes` may change suddenly.
  private static func isStepped(_ votes: [AlignmentLine.Vote], _ tolerance: Double) -> Bool {
    AlignmentSteps(votes, tolerance: tolerance).map { $0.lines.count > 1 } ?? false
  }

  /// Nothing is looked for.
  init() {}

  /// Looks for `voice` in `other`, whose owner's voice lies in `voice` as `line` says.
  init(
    for voice: AlignmentVoice, in other: AlignmentVoice, within line: AlignmentLine,
    tracked: [AlignmentLine.Vote]
  ) {
    self.init(
      for: voice, in: other, near: line.inverse(later: AlignSound.largestDelay),
      reach: AlignSound.largestDelay + Self.reach)
    self.tracked = tracked
  }

  /// Looks for `voice` in `other` where it lies to `reach` seconds as `line` says.
  private init(
    for voice: AlignmentVoice, in other: AlignmentVoice, near line: AlignmentLine,
    reach: Double = Self.reach
  ) {
    let rate = Double(SoundSketch.envelopeRate)
    let count = voice.envelope.count
    let begin = max(0, Self.margin - line.offset)
    let end = min(
      Double(count) / rate, line.time(at: Double(other.envelope.count) / rate - Self.margin))
    let first = Int(saturating: begin * rate)
    let fine = voice.windows(
      Self.fineCount, length: Int(saturating: min(Self.fineSeconds, (end - begin) / 4) * rate),
      in: first..<max(first, min(count, Int(saturating: end * rate))))
    guard let shortest = fine.first, shortest.count >= SoundSketch.envelopeRate / 2 else { return }
    take(fine, voice, other, line, reach)
    // Somebody else may be the one who is heard in both most of the time; the owner is louder.
    guard let most = found else { return }
    let length = Double(shortest.count) / rate
    let rest = fine.filter { window in
      let middle = Double(window.lowerBound + window.upperBound) / 2 / rate
      return !most.votes.contains { abs($0.time - middle) < length / 2 }
    }
    guard rest.count >= Self.leastRest else { return }
    var others = AlignmentSearch()
    others.take(
      rest, voice, other,
      AlignmentLine(
        offset: most.line.offset + AlignSound.largestDelay / 2, drift: most.line.drift),
      1.5 * AlignSound.largestDelay + Self.reach)
    if let second = others.found, abs(second.line.offset - most.line.offset) > Self.echo,
      Self.loudness(second.votes) > Self.loudness(most.votes)
    {
      self = others
    }
  }

  /// Compares the waveforms of windows.
  private mutating func take(
    _ windows: [Range<Int>], _ voice: AlignmentVoice, _ other: AlignmentVoice,
    _ line: AlignmentLine, _ reach: Double
  ) {
    windowCount = windows.count
    votes = windows.compactMap { Self.refine($0, voice, other, line, reach) }
    settle()
    gain = nearness + voice.loudness - other.loudness
  }

  private mutating func settle() {
    found = AlignmentLine.through(votes, tolerance: Self.tolerance).flatMap {
      AlignSound.isEnough($0.votes.count, of: windowCount) ? $0 : nil
    }
    let agreeing = found?.votes ?? []
    nearness = agreeing.reduce(0) { $0 + $1.nearness } / Double(max(1, agreeing.count))
  }

  /// Whether it is the owner of the recording who is heard in the other one.
  var isOwn: Bool { found != nil && nearness >= Self.leastNearness }

  /// The share of windows that are heard in the other recording at once, or as an echo.
  var share: Double {
    let near = votes.filter { found?.line.isNear($0, Self.echo) == true }
    return windowCount == 0 ? 0 : Double(near.count) / Double(windowCount)
  }

  /// When it is the other recording's owner who is heard in this one.
  var foreign: [Double] { isOwn || gain >= 0 ? [] : found?.votes.map(\.time) ?? [] }

  /// Leaves out what is heard at `times`, as somebody else says it.
  mutating func leaveOut(_ times: [Double]) {
    guard !times.isEmpty else { return }
    votes.removeAll { vote in times.contains { abs($0 - vote.time) < Self.fineSeconds / 2 } }
    settle()
  }

  private static func loudness(_ votes: [AlignmentLine.Vote]) -> Double {
    votes.reduce(0) { $0 + $1.loudness } / Double(max(1, votes.count))
  }

  /// Where the envelope of a window is most like that of the other recording.
  private static func vote(
    _ envelope: [Double], _ window: Range<Int>, in other: [Double]
  ) -> AlignmentLine.Vote? {
    let reach = Int(saturating: AlignSound.largestOffset) * SoundSketch.envelopeRate
    let first = max(0, window.lowerBound - reach)
    let last = min(other.count, window.upperBound + reach)
    guard last - first >= window.count else { return nil }
    let part = other[first..<last]
    let sums = FourierTransform.correlation(envelope[window], in: part, isWhitened: false)
    var energies = [0.0]
    energies.reserveCapacity(part.count + 1)
    for value in part { energies.append(energies[energies.count - 1] + value * value) }
    let own = envelope[window].reduce(0) { $0 + $1 * $1 }
    let likenesses = sums.indices.map { lag in
      let other = energies[lag + window.count] - energies[lag]
      return sums[lag] / max(1e-9, (own * max(other, own / 100)).squareRoot())
    }
    guard let best = likenesses.indices.max(by: { likenesses[$0] < likenesses[$1] }),
      likenesses[best] > leastLikeness
    else { return nil }
    // Music that repeats itself lies anywhere.
    let near = Int(saturating: leastAway * Double(SoundSketch.envelopeRate))
    let others = likenesses.indices.lazy.filter { abs($0 - best) > near }
    let next = others.map { likenesses[$0] }.max() ?? 0
    guard next < mostAmbiguous * likenesses[best] else { return nil }
    let rate = Double(SoundSketch.envelopeRate)
    return AlignmentLine.Vote(
      time: Double(window.lowerBound) / rate, place: Double(first + best) / rate)
  }

  /// Where the waveform of a window lies near the place that `line` gives it; nil where that says
  /// nothing, or is the voice of the other recording's owner.
  static func refine(
    _ window: Range<Int>, _ voice: AlignmentVoice, _ other: AlignmentVoice,
    _ line: AlignmentLine, _ reach: Double
  ) -> AlignmentLine.Vote? {
    let rate = Double(SoundSketch.sampleRate)
    let hop = SoundSketch.sampleRate / SoundSketch.envelopeRate
    let time = Double(window.lowerBound * hop) / rate
    let around = Int(saturating: reach * rate)
    let first = Int(saturating: line.place(of: time) * rate) - around
    let last = first + window.count * hop + 2 * around
    let own = voice.sketch.samples(window.lowerBound * hop..<window.upperBound * hop)
    let sums = FourierTransform.correlation(
      own[...], in: other.sketch.samples(first..<last)[...], isWhitened: true
    )
    // Sound that is the same but for its polarity counts, too.
    .map { abs($0) }
    guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }), best > 0,
      best + 1 < sums.count
    else { return nil }
    let mean = sums.reduce(0, +) / Double(sums.count)
    guard sums[best] > leastPeak * mean else { return nil }
    let found = (first + best) / hop
    let loudness = voice.nearness(window)
    let nearness = loudness - other.nearness(found..<found + window.count)
    guard nearness >= -mostNearness else { return nil }
    let (left, middle, right) = (sums[best - 1], sums[best], sums[best + 1])
    let bend = left - 2 * middle + right
    let part = bend < 0 ? 0.5 * (left - right) / bend : 0
    // A window that drifts is found where its middle lies.
    let half = Double(window.count * hop) / rate / 2
    return AlignmentLine.Vote(
      time: time + half, place: (Double(first + best) + part) / rate + half,
      loudness: loudness, nearness: nearness, peak: sums[best] / mean)
  }
}
