import Glibc
import TesseraTimeline

/// The search for the owner of one recording in another recording.
///
/// The coarse step searches the envelopes of several windows in the whole other recording. The fine
/// step compares waveforms near the places found. Each window votes for a place.
struct AlignmentSearch {
  /// The places of the windows; a vote's time is the middle of its window.
  private(set) var votes: [AlignmentLine.TimePair] = []
  /// The number of windows whose waveforms were compared.
  private(set) var windowCount = 0
  /// The line through the most votes, with these votes; `nil` if they are too few to rely on.
  private(set) var found: (line: AlignmentLine, votes: [AlignmentLine.TimePair])?

  /// The mean level difference between the two recordings in the windows of the agreeing votes, in
  /// decibels. Each level is relative to the loudness of its recording's owner. From
  /// ``leastNearness`` on, the sound counts as the voice of this recording's owner (``isOwn``).
  private(set) var nearness = 0.0
  /// Like ``nearness``, without relating the levels to the loudness of the recordings' owners.
  private(set) var gain = 0.0

  /// The places of windows spread over the recording if the lag seems to change suddenly; otherwise
  /// empty.
  private(set) var tracked: [AlignmentLine.TimePair] = []

  /// The largest distance from the line of a fine vote that agrees, in seconds.
  static let tolerance = 0.002

  /// The number of windows whose envelopes are compared, and their length in seconds. Windows of
  /// short recordings are shorter.
  private static let (roughCount, roughSeconds) = (24, 20.0)
  /// The number of windows whose waveforms are compared, and their length in seconds. Windows of
  /// short recordings are shorter.
  private static let (fineCount, fineSeconds) = (48, 3.0)
  /// The distance from the envelope's place within which the waveform is searched, in seconds.
  private static let reach = 0.06
  /// The distance of compared windows from the other recording's ends, in seconds.
  private static let margin = 0.07
  /// The largest distance from the line of a coarse vote that agrees, in seconds.
  static let roughTolerance = 0.025
  /// The thresholds of the coarse search: the least likeness of two envelopes, the largest likeness
  /// of a second place relative to the best one, and the least distance of that second place in
  /// seconds.
  private static let (leastLikeness, mostAmbiguous, leastAway) = (0.1, 0.9, 0.25)
  /// The least number of coarse votes on a line. Two windows are always on one.
  private static let leastRough = 3
  /// The least height of a correlation peak relative to the mean; unrelated sound hardly ever
  /// exceeds it.
  private static let leastPeak = 6.0
  /// The largest delay of an echo, in seconds.
  private static let echo = 0.04
  /// The least number of windows off the line with which a second line is searched.
  private static let leastRest = 12
  /// The least level difference, in decibels, by which owners are nearer to their own microphones.
  private static let leastNearness = 4.0
  /// The level difference, in decibels, from which a speaker counts as the owner of the other
  /// microphone.
  private static let mostNearness = 6.0

  /// Searches for the owner of `voice` in all of `other`.
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

  /// Finds the places of `voice` in `other` by the envelopes of its windows, to 25 ms.
  static func rough(_ voice: AlignmentVoice, in other: AlignmentVoice) -> [AlignmentLine.TimePair] {
    let rate = Double(AlignmentAudio.envelopeRate)
    let seconds = min(roughSeconds, Double(voice.envelope.count) / rate / 3)
    guard seconds >= 1 else { return [] }
    return voice.windows(
      roughCount, length: Int(saturating: seconds * rate), in: 0..<voice.envelope.count
    )
    .compactMap { vote(voice.own, $0, in: other.envelope) }
  }

  /// Fits a line to at least `count` coarse votes; returns `nil` if there is none.
  static func line(through rough: [AlignmentLine.TimePair], atLeast count: Int) -> AlignmentLine? {
    AlignmentLine.through(rough, tolerance: roughTolerance)
      .flatMap { $0.votes.count >= count ? $0.line : nil }
  }

  /// Chooses at most `count` windows in which the owner speaks, as ranges of 10 ms hops. They are
  /// 3 s long, shorter in short recordings, and overlap by at most half.
  static func windows(of voice: AlignmentVoice, _ count: Int) -> [Range<Int>] {
    let frames = voice.envelope.count
    let length = min(Int(saturating: fineSeconds) * AlignmentAudio.envelopeRate, frames / 4)
    var windows: [Range<Int>] = []
    for window in voice.windows(count, length: length, in: 0..<frames)
    where window.lowerBound - (windows.last?.lowerBound ?? -length) >= length / 2 {
      windows.append(window)
    }
    return windows
  }

  /// True if the lag of `votes` seems to change suddenly.
  private static func isStepped(_ votes: [AlignmentLine.TimePair], _ tolerance: Double) -> Bool {
    AlignmentSteps(votes, tolerance: tolerance).map { $0.lines.count > 1 } ?? false
  }

  /// Creates an empty result, without a search.
  init() {}

  /// Searches for `voice` in `other` around a known line of the opposite direction.
  ///
  /// `line` maps `other` to `voice` as the other search found it. The range is widened by the
  /// longest delay of both directions.
  init(
    for voice: AlignmentVoice, in other: AlignmentVoice, within line: AlignmentLine,
    tracked: [AlignmentLine.TimePair]
  ) {
    self.init(
      for: voice, in: other, near: line.inverse(later: SoundAligner.largestDelay),
      reach: SoundAligner.largestDelay + Self.reach)
    self.tracked = tracked
  }

  /// Searches for `voice` in `other` within `reach` seconds of `line`.
  private init(
    for voice: AlignmentVoice, in other: AlignmentVoice, near line: AlignmentLine,
    reach: Double = Self.reach
  ) {
    let rate = Double(AlignmentAudio.envelopeRate)
    let count = voice.envelope.count
    let begin = max(0, Self.margin - line.offset)
    let end = min(
      Double(count) / rate, line.time(at: Double(other.envelope.count) / rate - Self.margin))
    let first = Int(saturating: begin * rate)
    let fine = voice.windows(
      Self.fineCount, length: Int(saturating: min(Self.fineSeconds, (end - begin) / 4) * rate),
      in: first..<max(first, min(count, Int(saturating: end * rate))))
    guard let shortest = fine.first, shortest.count >= AlignmentAudio.envelopeRate / 2 else {
      return
    }
    take(fine, voice, other, line, reach)
    // Most of the time, another person may be heard in both recordings; the owner is louder.
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
        offset: most.line.offset + SoundAligner.largestDelay / 2, drift: most.line.drift),
      1.5 * SoundAligner.largestDelay + Self.reach)
    if let second = others.found, abs(second.line.offset - most.line.offset) > Self.echo,
      Self.loudness(second.votes) > Self.loudness(most.votes)
    {
      self = others
    }
  }

  /// Compares the waveforms of `windows` and fits a line to the votes.
  private mutating func take(
    _ windows: [Range<Int>], _ voice: AlignmentVoice, _ other: AlignmentVoice,
    _ line: AlignmentLine, _ reach: Double
  ) {
    windowCount = windows.count
    votes = windows.compactMap { Self.refine($0, voice, other, line, reach) }
    settle()
    gain = nearness + voice.loudness - other.loudness
  }

  /// Fits the line to ``votes`` and updates ``nearness``.
  private mutating func settle() {
    found = AlignmentLine.through(votes, tolerance: Self.tolerance).flatMap {
      SoundAligner.isEnough($0.votes.count, of: windowCount) ? $0 : nil
    }
    let agreeing = found?.votes ?? []
    nearness = agreeing.reduce(0) { $0 + $1.nearness } / Double(max(1, agreeing.count))
  }

  /// True if the other recording hears this recording's owner.
  var isOwn: Bool { found != nil && nearness >= Self.leastNearness }

  /// The share of windows that the other recording hears within ``echo`` of the line, directly or
  /// as an echo.
  var share: Double {
    let near = votes.filter { found?.line.isNear($0, Self.echo) == true }
    return windowCount == 0 ? 0 : Double(near.count) / Double(windowCount)
  }

  /// The times of windows in which this recording hears the other recording's owner, in seconds;
  /// empty if it hears its own.
  var foreign: [Double] { isOwn || gain >= 0 ? [] : found?.votes.map(\.time) ?? [] }

  /// Removes the votes near `times`, at which a third person speaks, and fits the line again.
  mutating func leaveOut(_ times: [Double]) {
    guard !times.isEmpty else { return }
    votes.removeAll { vote in times.contains { abs($0 - vote.time) < Self.fineSeconds / 2 } }
    settle()
  }

  /// Returns the mean loudness of votes, in decibels relative to the owner.
  private static func loudness(_ votes: [AlignmentLine.TimePair]) -> Double {
    votes.reduce(0) { $0 + $1.loudness } / Double(max(1, votes.count))
  }

  /// Finds the place at which the other envelope is most like a window's; `nil` if the match is
  /// weak or ambiguous.
  private static func vote(
    _ envelope: [Double], _ window: Range<Int>, in other: [Double]
  ) -> AlignmentLine.TimePair? {
    let reach = Int(saturating: SoundAligner.largestOffset) * AlignmentAudio.envelopeRate
    let first = max(0, window.lowerBound - reach)
    let last = min(other.count, window.upperBound + reach)
    guard last - first >= window.count else { return nil }
    let part = other[first..<last]
    let sums = FourierTransform.correlation(envelope[window], in: part, isWhitened: false)
    let energies = part.lazy.map { $0 * $0 }.runningSums
    let own = envelope[window].reduce(0) { $0 + $1 * $1 }
    let likenesses = sums.indices.map { lag in
      let other = energies[lag + window.count] - energies[lag]
      return sums[lag] / max(1e-9, (own * max(other, own / 100)).squareRoot())
    }
    guard let best = likenesses.indices.max(by: { likenesses[$0] < likenesses[$1] }),
      likenesses[best] > leastLikeness
    else { return nil }
    // Repetitive music matches in many places.
    let near = Int(saturating: leastAway * Double(AlignmentAudio.envelopeRate))
    let others = likenesses.indices.lazy.filter { abs($0 - best) > near }
    let next = others.map { likenesses[$0] }.max() ?? 0
    guard next < mostAmbiguous * likenesses[best] else { return nil }
    let rate = Double(AlignmentAudio.envelopeRate)
    return AlignmentLine.TimePair(
      time: Double(window.lowerBound) / rate, place: Double(first + best) / rate)
  }

  /// Finds a window's waveform within `reach` seconds of its place on `line`.
  ///
  /// Returns `nil` if the correlation has no clear peak, or if the sound is the voice of the other
  /// recording's owner.
  static func refine(
    _ window: Range<Int>, _ voice: AlignmentVoice, _ other: AlignmentVoice,
    _ line: AlignmentLine, _ reach: Double
  ) -> AlignmentLine.TimePair? {
    let rate = Double(AlignmentAudio.sampleRate)
    let hop = AlignmentAudio.sampleRate / AlignmentAudio.envelopeRate
    let time = Double(window.lowerBound * hop) / rate
    let around = Int(saturating: reach * rate)
    let first = Int(saturating: line.place(of: time) * rate) - around
    let last = first + window.count * hop + 2 * around
    let own = voice.audio.samples(window.lowerBound * hop..<window.upperBound * hop)
    let sums = FourierTransform.correlation(
      own[...], in: other.audio.samples(first..<last)[...], isWhitened: true
    )
    // Sound with inverted polarity counts as well.
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
    // The correlation of a drifting window peaks at the place of the window's middle.
    let half = Double(window.count * hop) / rate / 2
    return AlignmentLine.TimePair(
      time: time + half, place: (Double(first + best) + part) / rate + half,
      loudness: loudness, nearness: nearness, peak: sums[best] / mean)
  }
}
