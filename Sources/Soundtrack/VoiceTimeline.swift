public import TesseraMedia
public import TesseraTimeline

/// Decides where the decoded blocks of one voice lie on the output's timeline.
///
/// Samples are counted, times are checked. As long as a block's time agrees with the number of
/// samples before it, the block simply continues the run, so that timestamps rounded to
/// milliseconds neither insert nor drop a sample. Where the two disagree:
///
/// - by more than ``tolerance``, a new run starts at the block's time – unless the *next* block is
///   back on the line, because then only this one timestamp is wrong (Vorbis in Ogg has such
///   timestamps, off by 6 to 10 ms, wherever block sizes alternate);
/// - by more than ``noticeable`` for at least ``patience``, the voice is slowly stretched by the
///   deviation: clock drift and holes of a millisecond or two would otherwise add up to seconds.
///
/// So, single wrong timestamps aside, no sample lies more than ``tolerance`` away from its time.
/// All positions are in samples at ``Soundtrack/sampleRate``.
public struct VoiceTimeline: Sendable {
  /// Where a block goes.
  public enum Placement: Hashable, Sendable {
    /// Right behind the block before it.
    case continues
    /// Right behind the block before it, and the next ``VoiceTimeline/patience`` of samples are
    /// stretched by that many samples; shortened where negative.
    case stretches(by: Int)
    /// At that position. What lies between is silence, what overlaps is dropped.
    case starts(at: Int64)
  }

  /// 8 ms: above it a deviation cannot wait. The shortest common codec frame that can get lost
  /// lasts 10 ms, and 10 ms is what lips and voice may differ by here.
  public static let tolerance: Int64 = 384
  /// 2 ms: above what rounding to milliseconds, of the time and of the codec's delay, can cause.
  public static let noticeable: Int64 = 96
  /// One second. Over it the largest correction changes the pitch by 0.8 %.
  public static let patience: Int64 = 48_000
  /// Half a second: times that jump back further started over, as in chained Ogg files; what
  /// follows is new sound, not sound to drop.
  public static let restart: Int64 = 24_000

  private var offset: MediaTime
  private var shift: Int64 = 0
  private var run: Run?
  private var deviation: PersistentDeviation?

  /// A timeline on which the file's time t lies at t + `offset`.
  public init(offset: MediaTime) {
    self.offset = offset
  }

  /// Places `block`; `next` is the block behind it, nil at the end of the voice.
  public mutating func place(_ block: SoundBlock, before next: SoundBlock?) -> Placement {
    guard var current = run, current.sampleRate == block.sampleRate else {
      return beginRun(with: block)
    }
    defer { run?.append(block.sampleCount) }
    guard let position = position(of: block) else { return .continues }
    let difference = position - current.end
    guard abs(difference) <= Self.tolerance else {
      return jump(by: difference, from: current, block, before: next)
    }
    guard !current.isStretching, let correction = correction(for: difference, at: current.end)
    else { return .continues }
    current.stretch(by: correction)
    run = current
    return .stretches(by: Int(correction))
  }

  private func position(of block: SoundBlock) -> Int64? {
    block.time.map { ($0 + offset).sample(atRate: Soundtrack.sampleRate) + shift }
  }

  private mutating func beginRun(with block: SoundBlock) -> Placement {
    let expected = run?.end
    var start = position(of: block) ?? expected ?? offset.sample(atRate: Soundtrack.sampleRate)
    if let expected {
      let isStartingOver = start < expected - Self.restart
      if isStartingOver { shift += expected - start }
      if isStartingOver || abs(start - expected) <= Self.tolerance { start = expected }
    }
    deviation = nil
    run = Run(start: start, sampleRate: block.sampleRate)
    run?.append(block.sampleCount)
    return .starts(at: start)
  }

  private mutating func jump(
    by difference: Int64, from current: Run, _ block: SoundBlock, before next: SoundBlock?
  ) -> Placement {
    if let next, let after = position(of: next) {
      var continued = current
      continued.append(block.sampleCount)
      if abs(after - continued.end) <= Self.tolerance { return .continues }
    }
    deviation = nil
    if difference < -Self.restart {
      shift -= difference
      return .continues
    }
    run = Run(start: current.end + difference, sampleRate: current.sampleRate)
    return .starts(at: current.end + difference)
  }

  /// The correction that is due at `position`, where the deviation is now `difference`.
  private mutating func correction(for difference: Int64, at position: Int64) -> Int64? {
    guard abs(difference) > Self.noticeable else {
      deviation = nil
      return nil
    }
    guard var lasting = deviation, lasting.smallest.signum() == difference.signum() else {
      deviation = PersistentDeviation(since: position, smallest: difference)
      return nil
    }
    if abs(difference) < abs(lasting.smallest) { lasting.smallest = difference }
    let isDue = position - lasting.since >= Self.patience
    deviation = isDue ? nil : lasting
    return isDue ? lasting.smallest : nil
  }
}

/// Samples that follow each other without a break.
private struct Run: Sendable {
  let sampleRate: Int
  private let start: Int64
  private var sampleCount: Int64 = 0
  private var settled: Int64 = 0
  private var stretch: (amount: Int64, since: Int64)?

  init(start: Int64, sampleRate: Int) {
    self.start = start
    self.sampleRate = sampleRate
  }

  mutating func append(_ count: Int) {
    sampleCount += Int64(count)
    guard let stretch, unstretched - stretch.since >= VoiceTimeline.patience else { return }
    settled += stretch.amount
    self.stretch = nil
  }

  mutating func stretch(by amount: Int64) { stretch = (amount, unstretched) }

  var isStretching: Bool { stretch != nil }

  /// The position behind the last sample.
  var end: Int64 {
    let underway = stretch.map { $0.amount * (unstretched - $0.since) / VoiceTimeline.patience }
    return start + settled + (underway ?? 0) + unstretched
  }

  /// The samples so far, at the output's rate, before stretching.
  private var unstretched: Int64 {
    let rate = Int64(sampleRate)
    return (sampleCount * Int64(Soundtrack.sampleRate) + rate / 2) / rate
  }
}

/// A deviation that did not change its sign for a while.
private struct PersistentDeviation: Sendable {
  /// The position at which it began.
  var since: Int64
  /// The one that was nearest to zero.
  var smallest: Int64
}
