import TesseraTimeline

/// The clock of a voice between the places where its lag steps: a line through the times of each
/// segment, with one slope for all, and bent where a long segment shows that its clock changed.
///
/// Lags and counts are in samples; a lag is what is added to a sample's number to get its place.
struct ClockLines {
  private let facts: ClockFacts
  private var segments: [Segment]
  /// The slope of all lines: the clock's drift.
  private(set) var drift = 0.0
  /// The slope that no clock has, which is not followed; 0 where there is none.
  private(set) var refusedDrift = 0.0
  /// The standard deviation of the noise around the lines.
  private(set) var spread = 0.0
  private let inflation: Double
  /// Whether it is certain enough where lines go that they may have bends.
  private let mayBend: Bool
  /// The facts before which whole packets are missing.
  private let losses: [Int]

  private struct Segment {
    var facts: Range<Int>
    /// The bends of its line in order of their counts, at least two.
    var knots: [Knot]
  }

  private struct Knot {
    var count: Double
    var lag: Double
  }

  /// The time of the first block is taken as it is where the noise is no more than rounding to
  /// milliseconds makes, so that a file begins where it says.
  private static let rounding = (spread: 34.0, distance: 48.0)
  /// A small step is spread over that many samples on either side of it, and where that would be
  /// heard as another pitch, over more: 0.4 cents.
  private static let (ramp, slope) = (24_000.0, 0.00025)

  /// Lines through the parts that a search found.
  init(_ search: ClockSearch) {
    (facts, losses) = (search.facts, search.losses)
    let found = search.drift
    (drift, spread, inflation) = (found.slope, found.spread, found.inflation)
    mayBend = search.mayBend
    segments = []
    if abs(drift) > ClockFit.largestDrift {
      (drift, refusedDrift) = (0, found.slope)
      segments = search.parts.map { Segment(facts: $0, knots: flat($0, slope: found.slope)) }
    } else {
      segments = search.parts.map { Segment(facts: $0, knots: knots(of: $0)) }
      alignPackets()
    }
  }

  /// Moves short segments between gaps by ``PacketGrid``, where times are noisy.
  private mutating func alignPackets() {
    guard spread > Self.rounding.spread, let length = facts.packetLength else { return }
    let levels = segments.map { segment in
      PacketGrid.Level(
        value: segment.knots[0].lag - drift * segment.knots[0].count,
        uncertainty: spread / Double(segment.facts.count).squareRoot())
    }
    let moves = PacketGrid.moves(levels, packet: length * (1 + drift))
    for (index, move) in moves.enumerated() {
      for knot in segments[index].knots.indices { segments[index].knots[knot].lag += move }
    }
  }

  // MARK: - Fitting

  private func rest(_ index: Int) -> Double { facts.lags[index] - drift * facts.counts[index] }

  /// A line that begins where the times do and does not follow them.
  private func flat(_ range: Range<Int>, slope: Double) -> [Knot] {
    let first = facts.counts[range.lowerBound]
    let end = max(facts.counts[range.upperBound - 1], first + 1)
    let lag = Statistics.location(
      range.map { facts.lags[$0] - slope * (facts.counts[$0] - first) }, spread: spread)
    return [Knot(count: first, lag: lag), Knot(count: end, lag: lag)]
  }

  private func knots(of range: Range<Int>) -> [Knot] {
    let (first, last) = (facts.counts[range.lowerBound], facts.counts[range.upperBound - 1])
    let end = max(last, first + 1)
    let lag = Statistics.location(range.map { rest($0) }, spread: spread)
    let straight = [
      Knot(count: first, lag: lag + drift * first), Knot(count: end, lag: lag + drift * end),
    ]
    // Long enough that a part's level is known to 0.4 ms.
    let noise = spread * inflation
    let needed = max(
      Int(saturating: 240_000 / facts.usualLength), Int(saturating: noise * noise / 213) + 1, 8)
    let parts = range.count / needed
    guard mayBend, parts >= 3 else { return straight }
    let levels = (0..<parts).map { part in
      let part = range.lowerBound + part * needed..<range.lowerBound + (part + 1) * needed
      return Knot(
        count: (facts.counts[part.lowerBound] + facts.counts[part.upperBound - 1]) / 2,
        lag: Statistics.location(part.map { rest($0) }, spread: spread))
    }
    let scatter = Statistics.spread(zip(levels, levels.dropFirst()).map { $1.lag - $0.lag })
    let tolerance = max(38, 4.6 * noise / Double(needed).squareRoot(), 2 * scatter)
    guard levels.contains(where: { abs($0.lag - lag) > tolerance }) else { return straight }
    var bends = Self.bends(levels[...], tolerance: tolerance)
    bends[0] = Self.extended(bends[0], bends[1], to: first)
    bends[bends.count - 1] = Self.extended(bends[bends.count - 1], bends[bends.count - 2], to: end)
    return bends.map { Knot(count: $0.count, lag: $0.lag + drift * $0.count) }
  }

  /// The points that a line through `points` has to bend at to pass all of them within `tolerance`
  /// (Ramer, Douglas and Peucker).
  private static func bends(_ points: ArraySlice<Knot>, tolerance: Double) -> [Knot] {
    guard let first = points.first, let last = points.last, points.count > 2 else {
      return Array(points)
    }
    let slope = (last.lag - first.lag) / (last.count - first.count)
    let distance = { (knot: Knot) in
      abs(knot.lag - first.lag - slope * (knot.count - first.count))
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

  private static func extended(_ end: Knot, _ inner: Knot, to count: Double) -> Knot {
    let slope = (end.lag - inner.lag) / (end.count - inner.count)
    return Knot(count: count, lag: end.lag + slope * (count - end.count))
  }

  // MARK: - Runs

  private static func lag(of knots: [Knot], at count: Double) -> Double {
    var right = knots.count - 1
    while right > 1, knots[right - 1].count > count { right -= 1 }
    return extended(knots[right], knots[right - 1], to: count).lag
  }

  /// Lets what follows a step down of more than `distance` samples go on where the sound before it
  /// ends.
  mutating func undoRestarts(over distance: Double) {
    var shift = 0.0
    for index in segments.indices.dropFirst() {
      for knot in segments[index].knots.indices { segments[index].knots[knot].lag += shift }
      let count = facts.counts[segments[index].facts.lowerBound]
      let step =
        Self.lag(of: segments[index].knots, at: count)
        - Self.lag(of: segments[index - 1].knots, at: count)
      guard step < -distance else { continue }
      shift -= step
      for knot in segments[index].knots.indices { segments[index].knots[knot].lag -= step }
    }
  }

  /// The runs between the steps of at least `smallestBreak` samples.
  func runs(smallestBreak: Double) -> [ClockFit.Run] {
    var runs: [ClockFit.Run] = []
    var knots: [Knot] = []
    var first = segments[0]
    for segment in segments {
      let count = facts.counts[segment.facts.lowerBound]
      if knots.isEmpty {
        knots = segment.knots
        continue
      }
      let step = Self.lag(of: segment.knots, at: count) - Self.lag(of: knots, at: count)
      if abs(step) < smallestBreak {
        join(&knots, segment.knots, at: count, step: step)
      } else {
        append(first.facts.lowerBound..<segment.facts.lowerBound, knots, to: &runs)
        (knots, first) = (segment.knots, segment)
      }
    }
    append(first.facts.lowerBound..<facts.blocks.count, knots, to: &runs)
    return runs
  }

  /// Appends the runs of `range`, one after each loss.
  private func append(_ range: Range<Int>, _ knots: [Knot], to runs: inout [ClockFit.Run]) {
    var loss = losses.partitioningIndex { $0 > range.lowerBound }
    var end: Int { loss < losses.count ? min(losses[loss], range.upperBound) : range.upperBound }
    runs.append(run(of: range.lowerBound..<end, knots: knots, isFirst: runs.isEmpty))
    // Whole packets are missing between these runs, so that all are moved alike.
    let shift = shift(of: range.lowerBound, runs[runs.count - 1], knots)
    runs[runs.count - 1].start += shift
    while loss < losses.count, losses[loss] < range.upperBound {
      let first = losses[loss]
      loss += 1
      runs.append(run(of: first..<end, knots: knots, isFirst: false))
      runs[runs.count - 1].start += shift
    }
  }

  /// Appends `right` to `left`, with a ramp where they meet at `count`. Where times are noisy and
  /// the ramp would be steep, it goes on as before: the step is likely none.
  private func join(_ left: inout [Knot], _ right: [Knot], at count: Double, step: Double) {
    let ramp = max(Self.ramp, abs(step) / Self.slope / 2)
    let begin = max(count - ramp, (left[left.count - 2].count + count) / 2)
    let end = min(count + ramp, (count + right[1].count) / 2)
    guard spread <= Self.rounding.spread || abs(step) <= 1.01 * Self.slope * (end - begin) else {
      return
    }
    let lag = Self.lag(of: left, at: begin)
    while let last = left.last, last.count >= begin, left.count > 1 { left.removeLast() }
    left.append(Knot(count: begin, lag: lag))
    left.append(Knot(count: end, lag: Self.lag(of: right, at: end)))
    left += right.filter { $0.count > end }
  }

  private func run(of facts: Range<Int>, knots: [Knot], isFirst: Bool) -> ClockFit.Run {
    let (fact, last) = (facts.lowerBound, self.facts.counts[facts.upperBound - 1])
    let facts = self.facts
    let count = isFirst ? 0 : facts.counts[fact]
    var paces: [ClockFit.Pace] = []
    for (knot, next) in zip(knots, knots.dropFirst()) where next.count > knot.count {
      let slope = (next.lag - knot.lag) / (next.count - knot.count)
      let limits = ClockFit.ratios
      let ratio =
        abs(slope) < 1e-9 ? 1 : min(limits.upperBound, max(limits.lowerBound, 1 + slope))
      if let last = paces.last, abs(last.ratio - ratio) < 1e-8 { continue }
      if next.count <= count, next.count < knots[knots.count - 1].count { continue }
      if knot.count > last, !paces.isEmpty { break }
      paces.append(ClockFit.Pace(offset: max(0, knot.count - count), ratio: ratio))
    }
    if paces.isEmpty { paces = [ClockFit.Pace(offset: 0, ratio: 1)] }
    paces[0].offset = 0
    let start = count + Self.lag(of: knots, at: count)
    return ClockFit.Run(
      firstBlock: isFirst ? 0 : facts.blocks[fact], start: Int64(saturating: start.rounded()),
      paces: paces)
  }

  /// By how much the time of a run's first packet differs from its line, where times are only
  /// rounded.
  private func shift(of fact: Int, _ run: ClockFit.Run, _ knots: [Knot]) -> Int64 {
    guard run.isPlain, spread <= Self.rounding.spread else { return 0 }
    let count = facts.counts[fact]
    let line = count + Self.lag(of: knots, at: count)
    let shift = (count + facts.lags[fact]).rounded() - line.rounded()
    return abs(shift) <= Self.rounding.distance ? Int64(saturating: shift) : 0
  }
}
