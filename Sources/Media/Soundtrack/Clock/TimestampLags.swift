import TesseraCodecs
import TesseraTimeline

/// The timestamps of a voice compared with its sample counts. A fact is a block that has a
/// timestamp.
///
/// All values are in samples at ``Soundtrack/sampleRate``.
struct TimestampLags {
  /// The indices of the blocks that have a timestamp.
  private(set) var blocks: [Int] = []
  /// The number of samples before each of ``blocks``.
  private(set) var counts: [Double] = []
  /// The lag of each of ``blocks``: its timestamp less its sample count.
  private(set) var lags: [Double] = []
  /// The mean distance between consecutive ``blocks``, in samples.
  private(set) var usualLength = 960.0
  /// The length of a packet in samples; `nil` unless at least nine of ten packets have it.
  private(set) var packetLength: Double?

  /// The limit to which absurd timestamps are clamped, in samples: 100 years.
  private static let farthest = 1.5e14
  /// The limit to which differences between neighboring lags are clamped, in samples: 20 ms.
  private static let largestStep = 960.0

  /// Returns the position of packet `packet` of its stream according to its timestamp, in samples.
  static func position(of packet: Int, in source: SoundSource) -> Double {
    let (clock, rate) = (source.track.clock, Double(Soundtrack.sampleRate))
    let tick = rate * Double(clock.timeBase.numerator) / Double(clock.timeBase.denominator)
    let ticks = Double(source.index.ticks[packet]) - Double(clock.firstTicks)
    let start = Double(clock.start.numerator) * rate / Double(clock.start.denominator)
    return min(farthest, max(-farthest, start + tick * ticks))
  }

  init(_ source: SoundSource) {
    let packets = source.track.packets
    let lengths = packets.map { packet in
      let (samples, rate) = source.index.samples[packet]
      return Double(samples * Soundtrack.sampleRate) / Double(rate)
    }
    add(lengths) { Self.position(of: packets.lowerBound + $0, in: source) }
  }

  init(_ all: [SoundBlockInfo]) {
    add(all.map(\.length)) { index in
      all[index].time.map { $0.seconds * Double(Soundtrack.sampleRate) }
    }
  }

  private mutating func add(_ lengths: [Double], time: (Int) -> Double?) {
    counts.reserveCapacity(lengths.count)
    lags.reserveCapacity(lengths.count)
    blocks.reserveCapacity(lengths.count)
    var count = 0.0
    for (index, length) in lengths.enumerated() {
      if let time = time(index) {
        blocks.append(index)
        counts.append(count)
        lags.append(min(Self.farthest, max(-Self.farthest, time)) - count)
      }
      count += length
    }
    guard let first = counts.first, let last = counts.last, counts.count > 1, last > first
    else { return }
    usualLength = max(1, (last - first) / Double(counts.count - 1))
    let length = RobustStatistics.median(lengths)
    let same = lengths.count { abs($0 - length) < 0.5 }
    packetLength = 10 * same >= 9 * lengths.count && length > 0 ? length : nil
    if packetLength == nil { takeEndsForTimes(lengths) }
  }

  /// Adds `samples` missing samples before the fact with index `fact`.
  mutating func move(_ fact: Int, by samples: Double) {
    counts[fact] += samples
    lags[fact] -= samples
  }

  /// Replaces end timestamps by start timestamps.
  ///
  /// Some writers store the time at which each packet ends. This is detected where packet lengths
  /// differ.
  private mutating func takeEndsForTimes(_ lengths: [Double]) {
    let starts = zip(blocks, lags).map { $1 - lengths[$0] }
    let unrest = { (lags: [Double]) in
      zip(lags, lags.dropFirst()).reduce(0.0) { $0 + min(Self.largestStep, abs($1.1 - $1.0)) }
    }
    if unrest(starts) < 0.5 * unrest(lags) { lags = starts }
  }
}
