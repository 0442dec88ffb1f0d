public import TesseraMedia
public import TesseraTimeline

/// Where the sound of one voice lies, decided once with all of its times at hand.
///
/// A time that a file gives for a packet is where the packet's first sample belongs, plus noise:
/// rounding, the jitter of a network, now and then a wrong number. Samples are counted exactly.
/// So the difference of the two is, up to noise, a line that climbs slowly (the clocks differ)
/// and steps where something is missing. What comes back is noise and moves nothing; only what
/// lasts does. Samples that follow each other without a step make a ``Run``.
///
/// All positions are in samples at ``Soundtrack/sampleRate``.
public struct ClockFit: Hashable, Sendable, Codable {
  /// The runs in the order of the file, at least one.
  public var runs: [Run]
  /// By how much the voice's clock differs from its times in parts per million: above 0 where it
  /// delivers too few samples. 0 where the difference is too small to stand out from noise.
  public var partsPerMillion: Double
  /// The spread (standard deviation) of the times around the fit, in milliseconds.
  public var jitterMilliseconds: Double

  /// A step that moves sound by less than that (4 ms) is no break: it is spread over a second.
  public static let smallestBreak: Int64 = 192
  /// A clock that jumps back further than that (half a second) has started over, as in chained
  /// Ogg files: what follows is new sound, not sound to drop.
  public static let restart: Int64 = 24_000

  /// Samples without a break.
  public struct Run: Hashable, Sendable, Codable {
    /// The number of its first block.
    public var firstBlock: Int
    /// Where its first sample lies.
    public var start: Int64
    /// How fast it is played, from its start on; at least one, the first with offset 0.
    public var paces: [Pace]

    /// A run that is played as it is.
    public init(firstBlock: Int, start: Int64, paces: [Pace] = [Pace(offset: 0, ratio: 1)]) {
      (self.firstBlock, self.start, self.paces) = (firstBlock, start, paces)
    }
  }

  /// A part of a run that is played at one speed.
  public struct Pace: Hashable, Sendable, Codable {
    /// The samples of the run before it, before they are stretched.
    public var offset: Double
    /// Samples out for each sample in: above 1 where the sound is stretched.
    public var ratio: Double

    /// From `offset` on, `ratio` samples for each.
    public init(offset: Double, ratio: Double) { (self.offset, self.ratio) = (offset, ratio) }
  }

  /// A place where sound was moved.
  public struct Break: Hashable, Sendable, Codable {
    /// Where the run before it ends.
    public var position: Int64
    /// How many samples of silence follow; negative where the next run overlaps the one before.
    public var length: Int64
  }
}

extension ClockFit.Run {
  /// Where the sample lies that has `count` samples of the run before it, counted at
  /// ``Soundtrack/sampleRate`` before they are stretched.
  public func position(after count: Double) -> Double {
    var position = Double(start)
    for (index, pace) in paces.enumerated() {
      let next = index + 1 < paces.count ? paces[index + 1].offset : .infinity
      let end = min(count, next)
      if end > pace.offset || index == 0 { position += (end - pace.offset) * pace.ratio }
    }
    return position
  }

  /// Whether every sample is played as it is.
  public var isPlain: Bool { paces.count == 1 && paces[0].ratio == 1 }
}

extension ClockFit {
  /// The fit of `blocks`, given in the order of the file, on a timeline on which the file's time t
  /// lies at t + `offset`. A block is a packet, or what was decoded of one; one without a time
  /// follows the one before it.
  public init(_ blocks: [SoundBlock], offset: MediaTime = .zero) {
    let facts = ClockFacts(blocks, offset: offset)
    guard !facts.blocks.isEmpty else {
      let start = offset.sample(atRate: Soundtrack.sampleRate)
      self.init(
        runs: [Run(firstBlock: 0, start: start)], partsPerMillion: 0, jitterMilliseconds: 0)
      return
    }
    var lines = ClockLines(facts, segments: ClockSegments.find(in: facts))
    lines.undoRestarts(over: Double(Self.restart))
    let runs = lines.runs(smallestBreak: Double(Self.smallestBreak))
    self.init(
      runs: runs, partsPerMillion: lines.drift * 1e6, jitterMilliseconds: lines.spread / 48)
  }

  /// The fit of `blocks` on the timeline on which `source` lies.
  init(_ blocks: [SoundBlock], of source: VoiceSource) {
    self.init(blocks, offset: source.start)
    guard source.rate != .one else { return }
    let rate = source.rate.value
    let origin = source.start.sample(atRate: Soundtrack.sampleRate)
    for index in runs.indices {
      let distance = Double(runs[index].start - origin)
      runs[index].start = origin + Int64((distance * rate).rounded())
      for pace in runs[index].paces.indices { runs[index].paces[pace].ratio *= rate }
    }
  }

  /// The run that block number `block` belongs to.
  public func run(ofBlock block: Int) -> Int {
    var (low, high) = (0, runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].firstBlock <= block { low = middle } else { high = middle }
    }
    return low
  }

  /// The breaks between the runs of `blocks`, of which this is the fit.
  public func breaks(of blocks: [SoundBlock]) -> [Break] {
    zip(runs, runs.dropFirst()).map { run, next in
      let count = blocks[run.firstBlock..<next.firstBlock].reduce(0) { $0 + $1.length }
      let end = Int64(run.position(after: count).rounded())
      return Break(position: end, length: next.start - end)
    }
  }
}

extension SoundBlock {
  /// How many samples at ``Soundtrack/sampleRate`` it lasts.
  package var length: Double {
    Double(sampleCount) * Double(Soundtrack.sampleRate) / Double(max(1, sampleRate))
  }
}

/// The times of a voice against its samples.
struct ClockFacts {
  /// The numbers of the blocks that have a time.
  var blocks: [Int] = []
  /// How many samples come before each of them.
  var counts: [Double] = []
  /// By how much each one's time is later than its samples would have it.
  var lags: [Double] = []
  /// The time of a block that is usual among them, in samples.
  var usualLength = 960.0
  /// The samples of a packet, where nearly all have the same.
  var packetLength: Double?

  init(_ all: [SoundBlock], offset: MediaTime) {
    var count = 0.0
    for (index, block) in all.enumerated() {
      if let time = block.time {
        let position = (time + offset).sample(atRate: Soundtrack.sampleRate)
        blocks.append(index)
        counts.append(count)
        lags.append(Double(position) - count)
      }
      count += block.length
    }
    guard let first = counts.first, let last = counts.last, counts.count > 1, last > first
    else { return }
    usualLength = max(1, (last - first) / Double(counts.count - 1))
    let lengths = all.map(\.length)
    let length = Statistics.median(lengths)
    let same = lengths.count { abs($0 - length) < 0.5 }
    packetLength = 10 * same >= 9 * lengths.count && length > 0 ? length : nil
  }
}
