package import TesseraCodecs
package import TesseraTimeline

/// Where the sound of one voice lies, decided once with all of its times at hand.
///
/// A time that a file gives for a packet is where the packet's first sample belongs, plus noise:
/// rounding, the jitter of a network, now and then a wrong number. Samples are counted exactly.
/// So the difference of the two is, up to noise, a line that climbs slowly (the clocks differ)
/// and steps where something is missing. What comes back is noise and moves nothing; only what
/// lasts does. Samples that follow each other without a step make a ``Run``.
///
/// All positions are in samples at ``Soundtrack/sampleRate``.
package struct ClockFit: Hashable, Sendable {
  /// The runs in the order of the file, at least one.
  package var runs: [Run]
  /// By how much the voice's clock differs from its times in parts per million: above 0 where it
  /// delivers too few samples. 0 where the difference is too small to stand out from noise.
  package var partsPerMillion: Double
  /// The spread (standard deviation) of the times around the fit, in milliseconds.
  package var jitterMilliseconds: Double
  /// By how much the times differ, likewise, where no clock does so much, so that it is not
  /// followed and every stretch is played as it is; else 0.
  package var refusedPartsPerMillion = 0.0

  /// Clocks differ by that much at most: 2000 parts per million.
  package static let largestDrift = 0.002
  /// How fast a part of a run may be played at all.
  static let ratios = 0.9...1.1
  /// A step that moves sound by less than that (4 ms) is not a break: it is spread over a second.
  package static let smallestBreak: Int64 = 192
  /// A clock that jumps back further than that (half a second) has started over, as in chained
  /// Ogg files: what follows is new sound, not sound to drop.
  package static let restart: Int64 = 24_000

  /// A packet of no more bytes holds nothing.
  private static let emptyPacket = 2
  /// Longer gaps, in samples, are all alike: 10 s.
  private static let longestGap = 480_000.0

  /// Samples without a break.
  package struct Run: Hashable, Sendable {
    /// The number of its first block.
    package var firstBlock: Int
    /// Where its first sample lies.
    package var start: Int64
    /// How fast it is played, from its start on; at least one, the first with offset 0.
    package var paces: [Pace]

    /// A run that is played as it is.
    package init(firstBlock: Int, start: Int64, paces: [Pace] = [Pace(offset: 0, ratio: 1)]) {
      (self.firstBlock, self.start, self.paces) = (firstBlock, start, paces)
    }
  }

  /// A part of a run that is played at one speed.
  package struct Pace: Hashable, Sendable {
    /// The samples of the run before it, before they are stretched.
    package var offset: Double
    /// Samples out for each sample in: above 1 where the sound is stretched.
    package var ratio: Double

    /// From `offset` on, `ratio` samples for each.
    package init(offset: Double, ratio: Double) { (self.offset, self.ratio) = (offset, ratio) }
  }
}

extension ClockFit.Run {
  /// Where the sample lies that has `count` samples of the run before it, counted at
  /// ``Soundtrack/sampleRate`` before they are stretched.
  package func position(after count: Double) -> Double {
    var position = Double(start)
    for (index, pace) in paces.enumerated() {
      let next = index + 1 < paces.count ? paces[index + 1].offset : .infinity
      let end = min(count, next)
      if end > pace.offset || index == 0 { position += (end - pace.offset) * pace.ratio }
    }
    return position
  }

  /// Whether every sample is played as it is.
  package var isPlain: Bool { paces.count == 1 && paces[0].ratio == 1 }
}

extension ClockFit {
  /// The fit of the packets of `source`, by the times and the samples that its index has; its runs
  /// are relative to the file's beginning, and its blocks are numbered within the track.
  package init(_ source: SoundSource) { self.init(ClockFacts(source)) }

  /// The fit of `blocks`, given in the order of the file. A block is a packet, or what was decoded
  /// of one; one without a time follows the one before it.
  package init(_ blocks: [SoundBlock]) { self.init(ClockFacts(blocks)) }

  private init(_ facts: ClockFacts) {
    guard !facts.blocks.isEmpty else {
      self.init(runs: [Run(firstBlock: 0, start: 0)], partsPerMillion: 0, jitterMilliseconds: 0)
      return
    }
    var lines = ClockLines(ClockSearch.best(facts))
    lines.undoRestarts(over: Double(Self.restart))
    let runs = lines.runs(smallestBreak: Double(Self.smallestBreak))
    self.init(
      runs: runs, partsPerMillion: lines.drift * 1e6, jitterMilliseconds: lines.spread / 48,
      refusedPartsPerMillion: lines.refusedDrift * 1e6)
  }

  /// The run that block number `block` belongs to.
  package func run(ofBlock block: Int) -> Int {
    var (low, high) = (0, runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].firstBlock <= block { low = middle } else { high = middle }
    }
    return low
  }

  /// Where the packet of that number within the track of `source` lies, relative to the file's
  /// beginning.
  package func position(ofBlock block: Int, in source: SoundSource) -> Double {
    let run = runs[run(ofBlock: block)]
    return run.position(after: source.length(before: block) - source.length(before: run.firstBlock))
  }

  /// How many samples are missing before packets of `source`, by their numbers within its track.
  /// What is not sent because nobody speaks is not missing: Opus says so with the packet before,
  /// which holds nothing.
  package func gaps(in source: SoundSource) -> [Int: Int] {
    var gaps: [Int: Int] = [:]
    for (run, next) in zip(runs, runs.dropFirst()) where next.firstBlock > 0 {
      let packet = source.track.packets.lowerBound + next.firstBlock
      guard source.index.sizes[packet - 1] > Self.emptyPacket else { continue }
      let end = run.position(
        after: source.length(before: next.firstBlock) - source.length(before: run.firstBlock))
      let gap = min((Double(next.start) - end) / next.paces[0].ratio, Self.longestGap)
      if gap > 0 { gaps[next.firstBlock] = Int(saturating: gap.rounded()) }
    }
    return gaps
  }

  /// By how much later than by their own times the first and the last packet of `source` are heard
  /// that hold anything; zero where that is no more than times are rounded.
  package func shifts(of source: SoundSource) -> (first: MediaTime, last: MediaTime) {
    let packets = source.track.packets
    let isHeard = { (packet: Int) in
      source.index.isShown(packet) && source.index.samples[packet].samples > 0
    }
    let shift = { (packet: Int) in
      let position = self.position(ofBlock: packet - packets.lowerBound, in: source)
      let time = ClockFacts.position(of: packet, in: source)
      guard abs(position - time) >= Double(Self.smallestBreak) else { return MediaTime.zero }
      return MediaTime(sample: Int64(saturating: position - time), rate: Soundtrack.sampleRate)
    }
    return (
      packets.first(where: isHeard).map(shift) ?? .zero,
      packets.last(where: isHeard).map(shift) ?? .zero
    )
  }

  /// The packet, within the track of `source`, of which sample number `position` of the file is
  /// heard; the first one before that, and the last one after it.
  func packet(at position: Double, in source: SoundSource) -> Int {
    var (low, high) = (0, source.track.packets.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self.position(ofBlock: middle, in: source) <= position {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }
}

extension SoundSource {
  /// How many samples at ``Soundtrack/sampleRate`` lie before packet number `packet` of the track.
  func length(before packet: Int) -> Double {
    let first = track.packets.lowerBound
    return index.samples.length(before: first + packet, atRate: Soundtrack.sampleRate)
      - index.samples.length(before: first, atRate: Soundtrack.sampleRate)
  }
}

extension SoundBlock {
  /// How many samples at ``Soundtrack/sampleRate`` it lasts.
  package var length: Double {
    Double(sampleCount) * Double(Soundtrack.sampleRate) / Double(max(1, sampleRate))
  }
}
