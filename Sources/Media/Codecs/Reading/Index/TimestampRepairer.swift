import TesseraTimeline

/// The timestamp jumps of a stretch that are too long for a real recording.
struct TimestampJumps: Hashable, Sendable {
  /// The number of jumps.
  var count = 0
  /// The length of the longest jump.
  var longest = MediaTime.zero

  /// Records a jump of `ticks` in units of `timeBase`.
  fileprivate mutating func add(_ ticks: Int64, timeBase: Ratio) {
    let length = MediaTime(ticks: ticks, timeBase: timeBase) ?? MediaTime(seconds: .max)
    (count, longest) = (count + 1, max(longest, length))
  }
}

/// Closes timestamp jumps of broken clocks. A single wrong bit of a timestamp can add days.
///
/// A jump counts as broken if it is longer than an hour and longer than all recorded media in the
/// file, unless the header declares an end beyond it. The packets after the jump follow the
/// previous ones directly, or return to the time before an earlier jump. The majority of packets
/// keep their timestamps, so that pictures and audio stay in sync.
struct TimestampRepairer {
  /// The longest jump that a real recording may have.
  private let limit: MediaTime
  /// The shifts applied after jumps, most recent last.
  private var moves: [MediaTime] = []

  private static let hour = MediaTime(seconds: 3600)
  /// The distance within which a timestamp counts as the expected one.
  private static let near = MediaTime(seconds: 2)

  /// Closes the jumps in the stretches of each of `streams`.
  static func mend(_ stretches: inout [[ClockStretch]], of streams: [StreamPackets]) {
    for link in Set(stretches.joined().map(\.link)) {
      var places: [(stream: Int, stretch: Int)] = []
      for stream in stretches.indices {
        for stretch in stretches[stream].indices where stretches[stream][stretch].link == link {
          places.append((stream, stretch))
        }
      }
      let lengths = places.map { recorded(stretches[$0.stream][$0.stretch]) }
      var clock = TimestampRepairer(limit: max(hour, lengths.max() ?? .zero))
      for place in places {
        clock.closeLeaps(&stretches[place.stream][place.stretch], of: streams[place.stream])
      }
      clock.bringTogether(&stretches, places)
    }
  }

  /// Returns the length of a stretch without its pauses of more than an hour.
  private static func recorded(_ stretch: ClockStretch) -> MediaTime {
    let sorted = stretch.shownTicks.sorted()
    let longest = hour.ticks(timeBase: stretch.timeBase)
    let ticks = zip(sorted.dropFirst(), sorted).reduce(Int64(0)) { sum, pair in
      let step = pair.0 -| pair.1
      return step > longest ? sum : sum +| step
    }
    return MediaTime(ticks: ticks, timeBase: stretch.timeBase) ?? .zero
  }

  /// Closes the timestamp jumps within `stretch` that are longer than ``limit``.
  private mutating func closeLeaps(_ stretch: inout ClockStretch, of stream: StreamPackets) {
    let timeBase = stretch.timeBase
    let (longest, near) = (limit.ticks(timeBase: timeBase), Self.near.ticks(timeBase: timeBase))
    guard let last = stretch.shownTicks.max(), let first = stretch.shownTicks.min(),
      last -| first > longest
    else { return }
    let usual = stretch.usualStep ?? 1
    let step = min(usual, stream.ticks(seconds: 1))
    // If all distances are jumps, the header's end comes from the same broken clock.
    let promised = usual <= longest ? stream.promisedEnd ?? .min : .min
    var (shift, end) = (Int64(0), Int64?.none)
    var (known, runs) = ([Int64(0)], [(shift: Int64, from: Int)]([(0, 0)]))
    for index in stretch.ticks.indices where stretch.isShown[index] {
      let ticks = stretch.ticks[index]
      let isPromised = shift == 0 && ticks > end ?? .max && ticks <= promised
      if let end, !isPromised, distance(ticks +| shift, end) > longest {
        stretch.leaps.add(distance(ticks +| shift, end), timeBase: timeBase)
        let moved = known + moves.map { $0.ticks(timeBase: timeBase) }
        shift =
          moved.last { distance(ticks +| $0, end) <= near }
          ?? known.last { distance(ticks +| $0, end) <= longest } ?? (end -| ticks)
        known.append(shift)
        runs.append((shift, index))
      }
      end = max(end ?? .min, ticks +| shift +| step)
    }
    apply(runs, to: &stretch)
  }

  private func distance(_ a: Int64, _ b: Int64) -> Int64 { max(a, b) -| min(a, b) }

  /// Shifts the packets of each run relative to the shift that most packets share, which stay in
  /// place.
  private mutating func apply(_ runs: [(shift: Int64, from: Int)], to stretch: inout ClockStretch) {
    guard runs.count > 1 else { return }
    let ends = runs.dropFirst().map(\.from) + [stretch.ticks.count]
    var counts: [Int64: Int] = [:]
    for (run, end) in zip(runs, ends) { counts[run.shift, default: 0] += end - run.from }
    let base =
      counts.max {
        ($0.value, $1.key.magnitude) < ($1.value, $0.key.magnitude)
      }?.key ?? 0
    for (run, end) in zip(runs, ends) where run.shift != base {
      let shift = run.shift -| base
      for index in run.from..<end { stretch.ticks[index] +|= shift }
      if let move = MediaTime(ticks: shift, timeBase: stretch.timeBase) { moves.append(move) }
    }
  }

  /// Moves each stream that starts more than ``limit`` after the end of all earlier streams to the
  /// start of the first stream.
  private func bringTogether(
    _ stretches: inout [[ClockStretch]], _ places: [(stream: Int, stretch: Int)]
  ) {
    typealias Span = (place: (Int, Int), start: MediaTime, end: MediaTime)
    let spans = places.compactMap { place -> Span? in
      let stretch = stretches[place.stream][place.stretch]
      guard let first = stretch.shownTicks.min(), let last = stretch.shownTicks.max(),
        let start = MediaTime(ticks: first, timeBase: stretch.timeBase),
        let end = MediaTime(ticks: last, timeBase: stretch.timeBase)
      else { return nil }
      return ((place.stream, place.stretch), start, end)
    }.sorted { $0.start < $1.start }
    guard let zero = spans.first?.start else { return }
    var end = zero
    for (place, start, last) in spans {
      guard start - end > limit else {
        end = max(end, last)
        continue
      }
      let timeBase = stretches[place.0][place.1].timeBase
      let shift = (zero - start).ticks(timeBase: timeBase)
      stretches[place.0][place.1].leaps.add(0 -| shift, timeBase: timeBase)
      for index in stretches[place.0][place.1].ticks.indices {
        stretches[place.0][place.1].ticks[index] +|= shift
      }
    }
  }
}
