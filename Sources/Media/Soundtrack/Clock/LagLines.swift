import TesseraTimeline

/// The lag of a voice as piecewise linear functions between its steps.
///
/// Each segment has a line through its timestamps. All lines share one slope; a line bends if a
/// long segment shows that its clock changed speed.
///
/// Lags and counts are in samples. A lag is added to a sample's number to get the sample's
/// position.
struct LagLines {
  private let facts: TimestampLags
  private var segments: [Segment]
  /// The common slope of all lines: the clock drift.
  private(set) var drift = 0.0
  /// A measured slope that is too large for any clock and is not corrected; otherwise 0.
  private(set) var refusedDrift = 0.0
  /// The standard deviation of the noise around the lines, in samples.
  private(set) var spread = 0.0
  /// The factor by which autocorrelated noise exceeds independent noise (see ``ClockDrift``).
  private let inflation: Double
  /// True if the search is certain enough about losses to let lines bend.
  private let mayBend: Bool
  /// The indices of the facts before which whole packets are missing.
  private let losses: [Int]

  /// A part of the voice between two steps of the lag.
  private struct Segment {
    var facts: Range<Int>
    /// The line's breakpoints in order of their counts, at least two.
    var breakpoints: [Breakpoint]
  }

  /// A breakpoint of a line: a sample count and its lag.
  private struct Breakpoint {
    var count: Double
    var lag: Double
  }

  /// The limits for keeping the first block's timestamp unchanged, in samples: the spread that
  /// rounding to milliseconds causes, and the largest distance from the line. A file then begins at
  /// its stated time.
  private static let rounding = (spread: 34.0, distance: 48.0)
  /// The number of samples on either side of a small step over which it is spread, and the steepest
  /// slope of that ramp. A larger step gets a longer ramp, because a pitch change above 0.4 cents
  /// could be heard.
  private static let (ramp, slope) = (24_000.0, 0.00025)

  /// Fits lines to the parts that `search` found.
  init(_ search: LossAndDriftSearch) {
    (facts, losses) = (search.facts, search.losses)
    let found = search.drift
    (drift, spread, inflation) = (found.slope, found.spread, found.inflation)
    mayBend = search.mayBend
    segments = []
    if abs(drift) > VoiceClockFit.largestDrift {
      (drift, refusedDrift) = (0, found.slope)
      segments = search.parts.map { Segment(facts: $0, breakpoints: flat($0, slope: found.slope)) }
    } else {
      segments = search.parts.map { Segment(facts: $0, breakpoints: breakpoints(of: $0)) }
      alignPackets()
    }
  }

  /// Aligns short segments between gaps with ``PacketGridAligner`` if timestamps are noisy.
  private mutating func alignPackets() {
    guard spread > Self.rounding.spread, let length = facts.packetLength else { return }
    let levels = segments.map { segment in
      PacketGridAligner.Level(
        value: segment.breakpoints[0].lag - drift * segment.breakpoints[0].count,
        uncertainty: spread / Double(segment.facts.count).squareRoot())
    }
    let moves = PacketGridAligner.moves(levels, packet: length * (1 + drift))
    for (index, move) in moves.enumerated() {
      for breakpoint in segments[index].breakpoints.indices {
        segments[index].breakpoints[breakpoint].lag += move
      }
    }
  }

  // MARK: - Fitting

  /// Returns the lag of fact `index` without drift.
  private func rest(_ index: Int) -> Double { facts.lags[index] - drift * facts.counts[index] }

  /// Returns a horizontal line that begins at the level of the timestamps and does not follow their
  /// slope.
  private func flat(_ range: Range<Int>, slope: Double) -> [Breakpoint] {
    let first = facts.counts[range.lowerBound]
    let end = max(facts.counts[range.upperBound - 1], first + 1)
    let lag = RobustStatistics.location(
      range.map { facts.lags[$0] - slope * (facts.counts[$0] - first) }, spread: spread)
    return [Breakpoint(count: first, lag: lag), Breakpoint(count: end, lag: lag)]
  }

  /// Fits a line to a segment, with bends if they are allowed and significant.
  private func breakpoints(of range: Range<Int>) -> [Breakpoint] {
    let (first, last) = (facts.counts[range.lowerBound], facts.counts[range.upperBound - 1])
    let end = max(last, first + 1)
    let lag = RobustStatistics.location(range.map { rest($0) }, spread: spread)
    let straight = [
      Breakpoint(count: first, lag: lag + drift * first),
      Breakpoint(count: end, lag: lag + drift * end),
    ]
    // A part has to be long enough to determine its level to 0.4 ms.
    let noise = spread * inflation
    let needed = max(
      Int(saturating: 240_000 / facts.usualLength), Int(saturating: noise * noise / 213) + 1, 8)
    let parts = range.count / needed
    guard mayBend, parts >= 3 else { return straight }
    let levels = (0..<parts).map { part in
      let part = range.lowerBound + part * needed..<range.lowerBound + (part + 1) * needed
      return Breakpoint(
        count: (facts.counts[part.lowerBound] + facts.counts[part.upperBound - 1]) / 2,
        lag: RobustStatistics.location(part.map { rest($0) }, spread: spread))
    }
    let scatter = RobustStatistics.spread(zip(levels, levels.dropFirst()).map { $1.lag - $0.lag })
    let tolerance = max(38, 4.6 * noise / Double(needed).squareRoot(), 2 * scatter)
    guard levels.contains(where: { abs($0.lag - lag) > tolerance }) else { return straight }
    var bends = Self.bends(levels[...], tolerance: tolerance)
    bends[0] = Self.extended(bends[0], bends[1], to: first)
    bends[bends.count - 1] = Self.extended(bends[bends.count - 1], bends[bends.count - 2], to: end)
    return bends.map { Breakpoint(count: $0.count, lag: $0.lag + drift * $0.count) }
  }

  /// Simplifies a polyline: returns the points at which a line has to bend to pass all `points`
  /// within `tolerance` (Ramer, Douglas and Peucker).
  private static func bends(_ points: ArraySlice<Breakpoint>, tolerance: Double) -> [Breakpoint] {
    guard let first = points.first, let last = points.last, points.count > 2 else {
      return Array(points)
    }
    let slope = (last.lag - first.lag) / (last.count - first.count)
    let distance = { (breakpoint: Breakpoint) in
      abs(breakpoint.lag - first.lag - slope * (breakpoint.count - first.count))
    }
    var farthest = points.startIndex + 1
    for index in points.indices.dropFirst().dropLast()
    where distance(points[index]) > distance(points[farthest]) {
      farthest = index
    }
    guard distance(points[farthest]) > tolerance else { return [first, last] }
    return bends(points[...farthest], tolerance: tolerance).dropLast()
      + bends(points[farthest...], tolerance: tolerance)
  }

  /// Extrapolates the line from `inner` through `end` to `count`.
  private static func extended(_ end: Breakpoint, _ inner: Breakpoint, to count: Double)
    -> Breakpoint
  {
    let slope = (end.lag - inner.lag) / (end.count - inner.count)
    return Breakpoint(count: count, lag: end.lag + slope * (count - end.count))
  }

  // MARK: - Runs

  /// Evaluates a polyline at `count`, extrapolating beyond its ends.
  private static func lag(of breakpoints: [Breakpoint], at count: Double) -> Double {
    var right = breakpoints.count - 1
    while right > 1, breakpoints[right - 1].count > count { right -= 1 }
    return extended(breakpoints[right], breakpoints[right - 1], to: count).lag
  }

  /// Removes backward steps of more than `distance` samples: the sound after such a restart
  /// continues at the end of the sound before it.
  mutating func undoRestarts(over distance: Double) {
    var shift = 0.0
    for index in segments.indices.dropFirst() {
      for breakpoint in segments[index].breakpoints.indices {
        segments[index].breakpoints[breakpoint].lag += shift
      }
      let count = facts.counts[segments[index].facts.lowerBound]
      let step =
        Self.lag(of: segments[index].breakpoints, at: count)
        - Self.lag(of: segments[index - 1].breakpoints, at: count)
      guard step < -distance else { continue }
      shift -= step
      for breakpoint in segments[index].breakpoints.indices {
        segments[index].breakpoints[breakpoint].lag -= step
      }
    }
  }

  /// Returns the runs between the steps of at least `smallestBreak` samples.
  func runs(smallestBreak: Double) -> [VoiceClockFit.ContinuousRun] {
    var runs: [VoiceClockFit.ContinuousRun] = []
    var breakpoints: [Breakpoint] = []
    var first = segments[0]
    for segment in segments {
      let count = facts.counts[segment.facts.lowerBound]
      if breakpoints.isEmpty {
        breakpoints = segment.breakpoints
        continue
      }
      let step = Self.lag(of: segment.breakpoints, at: count) - Self.lag(of: breakpoints, at: count)
      if abs(step) < smallestBreak {
        join(&breakpoints, segment.breakpoints, at: count, step: step)
      } else {
        append(first.facts.lowerBound..<segment.facts.lowerBound, breakpoints, to: &runs)
        (breakpoints, first) = (segment.breakpoints, segment)
      }
    }
    append(first.facts.lowerBound..<facts.blocks.count, breakpoints, to: &runs)
    return runs
  }

  /// Appends the runs of `range`: one from its beginning and one after each loss.
  private func append(
    _ range: Range<Int>, _ breakpoints: [Breakpoint], to runs: inout [VoiceClockFit.ContinuousRun]
  ) {
    var loss = losses.partitioningIndex { $0 > range.lowerBound }
    var end: Int { loss < losses.count ? min(losses[loss], range.upperBound) : range.upperBound }
    runs.append(run(of: range.lowerBound..<end, breakpoints: breakpoints, isFirst: runs.isEmpty))
    // Whole packets are missing between these runs, so all runs get the same shift.
    let shift = shift(of: range.lowerBound, runs[runs.count - 1], breakpoints)
    runs[runs.count - 1].start += shift
    while loss < losses.count, losses[loss] < range.upperBound {
      let first = losses[loss]
      loss += 1
      runs.append(run(of: first..<end, breakpoints: breakpoints, isFirst: false))
      runs[runs.count - 1].start += shift
    }
  }

  /// Joins `right` to `left` at `count` with a ramp over a small step.
  ///
  /// If timestamps are noisy and the ramp would be steep, `left` continues unchanged, because the
  /// step is likely noise.
  private func join(
    _ left: inout [Breakpoint], _ right: [Breakpoint], at count: Double, step: Double
  ) {
    let ramp = max(Self.ramp, abs(step) / Self.slope / 2)
    let begin = max(count - ramp, (left[left.count - 2].count + count) / 2)
    let end = min(count + ramp, (count + right[1].count) / 2)
    guard spread <= Self.rounding.spread || abs(step) <= 1.01 * Self.slope * (end - begin) else {
      return
    }
    let lag = Self.lag(of: left, at: begin)
    while let last = left.last, last.count >= begin, left.count > 1 { left.removeLast() }
    left.append(Breakpoint(count: begin, lag: lag))
    left.append(Breakpoint(count: end, lag: Self.lag(of: right, at: end)))
    left += right.filter { $0.count > end }
  }

  /// Converts a part of a polyline to a run.
  private func run(of facts: Range<Int>, breakpoints: [Breakpoint], isFirst: Bool)
    -> VoiceClockFit.ContinuousRun
  {
    let (fact, last) = (facts.lowerBound, self.facts.counts[facts.upperBound - 1])
    let facts = self.facts
    let count = isFirst ? 0 : facts.counts[fact]
    var paces: [VoiceClockFit.SpeedSegment] = []
    for (breakpoint, next) in zip(breakpoints, breakpoints.dropFirst())
    where next.count > breakpoint.count {
      let slope = (next.lag - breakpoint.lag) / (next.count - breakpoint.count)
      let limits = VoiceClockFit.ratios
      let ratio =
        abs(slope) < 1e-9 ? 1 : min(limits.upperBound, max(limits.lowerBound, 1 + slope))
      if let last = paces.last, abs(last.ratio - ratio) < 1e-8 { continue }
      if next.count <= count, next.count < breakpoints[breakpoints.count - 1].count { continue }
      if breakpoint.count > last, !paces.isEmpty { break }
      paces.append(
        VoiceClockFit.SpeedSegment(offset: max(0, breakpoint.count - count), ratio: ratio))
    }
    if paces.isEmpty { paces = [VoiceClockFit.SpeedSegment(offset: 0, ratio: 1)] }
    paces[0].offset = 0
    let start = count + Self.lag(of: breakpoints, at: count)
    return VoiceClockFit.ContinuousRun(
      firstBlock: isFirst ? 0 : facts.blocks[fact], start: Int64(saturating: start.rounded()),
      paces: paces)
  }

  /// Returns the distance of a run's first timestamp from its line if timestamps are only rounded;
  /// otherwise 0.
  private func shift(of fact: Int, _ run: VoiceClockFit.ContinuousRun, _ breakpoints: [Breakpoint])
    -> Int64
  {
    guard run.isPlain, spread <= Self.rounding.spread else { return 0 }
    let count = facts.counts[fact]
    let line = count + Self.lag(of: breakpoints, at: count)
    let shift = (count + facts.lags[fact]).rounded() - line.rounded()
    return abs(shift) <= Self.rounding.distance ? Int64(saturating: shift) : 0
  }
}
