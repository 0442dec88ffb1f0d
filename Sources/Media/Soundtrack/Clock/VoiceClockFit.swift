package import TesseraCodecs
package import TesseraTimeline

/// The placement of one voice's samples on the timeline, computed once from all of its timestamps.
///
/// A packet's timestamp is the place of its first sample plus noise: rounding, network jitter, now
/// and then a wrong number. Sample counts are exact. So the lag (timestamp less sample count) is,
/// up to noise, a line that climbs slowly because of clock drift and steps where samples are
/// missing. A temporary change is noise and moves nothing; only a lasting change does. Samples that
/// follow each other without a step form a ``ContinuousRun``.
///
/// All positions are in samples at ``Soundtrack/sampleRate``.
package struct VoiceClockFit: Hashable, Sendable {
  /// The runs in the order of the file, at least one.
  package var runs: [ContinuousRun]
  /// The clock drift in parts per million: positive if the voice delivers too few samples for its
  /// timestamps. 0 if the drift is not significant.
  package var partsPerMillion: Double
  /// The standard deviation of the timestamps around the fit, in milliseconds.
  package var jitterMilliseconds: Double
  /// A measured drift in parts per million that is too large for any clock. It is not corrected,
  /// and every stretch plays at its own speed. 0 if the drift is plausible.
  package var refusedPartsPerMillion = 0.0

  /// The largest difference between clocks: 2000 parts per million.
  package static let largestDrift = 0.002
  /// The allowed range of playback ratios in a run.
  static let ratios = 0.9...1.1
  /// The smallest step that starts a new run, in samples: 4 ms. A smaller step is spread over a
  /// second.
  package static let smallestBreak: Int64 = 192
  /// The smallest backward jump of a clock that counts as a restart, in samples: 0.5 s. As in
  /// chained Ogg files, later sound is then new sound and is not dropped.
  package static let restart: Int64 = 24_000

  /// The largest size of a packet without sound, in bytes (Opus DTX).
  private static let emptyPacket = 2
  /// The cap for the length of a gap, in samples: 10 s.
  private static let longestGap = 480_000.0

  /// A sequence of samples without a break.
  package struct ContinuousRun: Hashable, Sendable {
    /// The index of the run's first block.
    package var firstBlock: Int
    /// The position of the run's first sample.
    package var start: Int64
    /// The playback speeds from the run's start on: at least one, the first with offset 0.
    package var paces = [SpeedSegment(offset: 0, ratio: 1)]
  }

  /// A part of a run that plays at a constant speed.
  package struct SpeedSegment: Hashable, Sendable {
    /// The number of the run's samples before this part, before stretching.
    package var offset: Double
    /// The number of output samples for each input sample: above 1 if the sound is stretched.
    package var ratio: Double
  }
}

extension VoiceClockFit.ContinuousRun {
  /// Returns the position of the sample that has `count` samples of the run before it. `count` is
  /// in samples at ``Soundtrack/sampleRate`` before stretching.
  package func position(after count: Double) -> Double {
    var position = Double(start)
    for (index, pace) in paces.enumerated() {
      let next = index + 1 < paces.count ? paces[index + 1].offset : .infinity
      let end = min(count, next)
      if end > pace.offset || index == 0 { position += (end - pace.offset) * pace.ratio }
    }
    return position
  }

  /// True if the run plays at its own speed throughout.
  package var isPlain: Bool { paces.count == 1 && paces[0].ratio == 1 }
}

extension VoiceClockFit {
  /// Fits the packets of `source` by the timestamps and sample counts of its index. Runs are
  /// relative to the file's beginning, and blocks are numbered within the track.
  package init(_ source: SoundSource) { self.init(TimestampLags(source)) }

  /// Fits `blocks`, given in the order of the file. A block is a packet or the decoded sound of one
  /// packet; a block without a timestamp follows the previous block.
  package init(_ blocks: [SoundBlockInfo]) { self.init(TimestampLags(blocks)) }

  private init(_ facts: TimestampLags) {
    guard !facts.blocks.isEmpty else {
      self.init(
        runs: [ContinuousRun(firstBlock: 0, start: 0)], partsPerMillion: 0, jitterMilliseconds: 0)
      return
    }
    var lines = LagLines(LossAndDriftSearch.best(facts))
    lines.undoRestarts(over: Double(Self.restart))
    let runs = lines.runs(smallestBreak: Double(Self.smallestBreak))
    self.init(
      runs: runs, partsPerMillion: lines.drift * 1e6, jitterMilliseconds: lines.spread / 48,
      refusedPartsPerMillion: lines.refusedDrift * 1e6)
  }

  /// Returns the index of the run that contains block number `block`.
  package func run(ofBlock block: Int) -> Int {
    max(0, runs.partitioningIndex { $0.firstBlock > block } - 1)
  }

  /// Returns the position of packet number `block` of the track of `source`, relative to the file's
  /// beginning.
  package func position(ofBlock block: Int, in source: SoundSource) -> Double {
    let run = runs[run(ofBlock: block)]
    return run.position(after: source.length(before: block) - source.length(before: run.firstBlock))
  }

  /// Returns the number of missing samples before packets of `source`, by packet numbers within its
  /// track.
  ///
  /// Silence that was not sent (DTX) is not missing: Opus announces it with a preceding packet
  /// without sound. A gap counts as at most ``longestGap``.
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

  /// Returns by how much later than their timestamps the first and the last packet with sound are
  /// heard. A shift is zero if it is below ``smallestBreak``.
  package func shifts(of source: SoundSource) -> (first: MediaTime, last: MediaTime) {
    let packets = source.track.packets
    let isHeard = { (packet: Int) in
      source.index.isShown(packet) && source.index.samples[packet].samples > 0
    }
    let shift = { (packet: Int) in
      let position = self.position(ofBlock: packet - packets.lowerBound, in: source)
      let time = TimestampLags.position(of: packet, in: source)
      guard abs(position - time) >= Double(Self.smallestBreak) else { return MediaTime.zero }
      return MediaTime(sample: Int64(saturating: position - time), rate: Soundtrack.sampleRate)
    }
    return (
      packets.first(where: isHeard).map(shift) ?? .zero,
      packets.last(where: isHeard).map(shift) ?? .zero
    )
  }

  /// Returns the number, within the track of `source`, of the packet that is heard at `position` of
  /// the file. Earlier positions give the first packet, later ones the last.
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
  /// Returns the number of samples at ``Soundtrack/sampleRate`` before packet number `packet` of
  /// the track.
  func length(before packet: Int) -> Double {
    let first = track.packets.lowerBound
    return index.samples.length(before: first + packet, atRate: Soundtrack.sampleRate)
      - index.samples.length(before: first, atRate: Soundtrack.sampleRate)
  }
}

extension SoundBlockInfo {
  /// The block's duration in samples at ``Soundtrack/sampleRate``.
  package var length: Double {
    Double(sampleCount) * Double(Soundtrack.sampleRate) / Double(max(1, sampleRate))
  }
}

/// Coding of a fit. The data may come from a compromised worker process, so decoding validates
/// every invariant.
extension VoiceClockFit: Codable {
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      runs: try values.decode([ContinuousRun].self, forKey: .runs),
      partsPerMillion: try values.decode(Double.self, forKey: .partsPerMillion),
      jitterMilliseconds: try values.decode(Double.self, forKey: .jitterMilliseconds),
      refusedPartsPerMillion: try values.decode(Double.self, forKey: .refusedPartsPerMillion))
    guard runs.first?.firstBlock == 0,
      zip(runs, runs.dropFirst()).allSatisfy({ $0.firstBlock < $1.firstBlock })
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .runs, in: values, debugDescription: "runs follow each other from block 0 on")
    }
  }
}
