import Glibc

/// What somebody sounds like as far as it takes to find the same sound in another recording: mono,
/// narrow and coarse, 8.4 kB a second.
package struct SoundSketch: Sendable, Codable {
  /// Samples a second.
  package static let sampleRate = 8000
  /// Values of the envelope a second.
  static let envelopeRate = 100

  /// The samples' square roots, with their signs: as fine for faint sound as for loud.
  private var codes: [Int8] = []
  /// How loud the changes are from sample to sample, in decibels, every 10 ms.
  private(set) var levels: [Float] = []
  /// Samples at ``Soundtrack/sampleRate`` that are not yet one here, and those of the one before.
  private var (sum, previousSum, summed): (Float, Float, Int) = (0, 0, 0)
  private var (power, previous): (Float, Float) = (0, 0)

  /// Samples of the mix for one here.
  private static let step = Soundtrack.sampleRate / sampleRate
  private static let hop = sampleRate / envelopeRate
  private static let scale: Float = 127

  /// A sketch of nothing.
  package init() {}

  /// A sketch of mono at ``sampleRate``.
  package init(_ samples: [Float]) {
    for sample in samples { take(sample) }
  }

  /// A sketch that has no samples, only the levels of a voice's first ten minutes.
  init(levels: [UInt8]) {
    let steps = Self.envelopeRate / VoiceAnalysis.hopsPerSecond
    for level in levels.prefix(600 * VoiceAnalysis.hopsPerSecond) {
      self.levels += repeatElement(Float(LevelCode.decibels(level)), count: steps)
    }
  }

  /// How many samples there are.
  var count: Int { codes.count }

  /// How long it is, in seconds.
  package var seconds: Double { Double(count) / Double(Self.sampleRate) }

  /// Whether there is anything to hear.
  package var isSilent: Bool { codes.allSatisfy { abs(Int($0)) <= 1 } }

  /// True if no passage is lively enough to be found in another recording.
  package var isQuiet: Bool {
    AlignmentSearch.windows(of: AlignmentVoice(self), 1).isEmpty
  }

  /// Takes interleaved stereo at ``Soundtrack/sampleRate``.
  package mutating func append(_ block: [Float]) {
    for frame in 0..<block.count / 2 {
      sum += block[2 * frame] + block[2 * frame + 1]
      summed += 1
      guard summed == Self.step else { continue }
      // The mean of twice as many samples holds back what would fold.
      take((sum + previousSum) / Float(4 * Self.step))
      (previousSum, sum, summed) = (sum, 0, 0)
    }
  }

  /// Appends a part of another sketch.
  mutating func append(_ other: SoundSketch, _ range: Range<Int>) {
    for index in range { take(other.sample(index)) }
  }

  /// Appends `count` samples of silence.
  mutating func appendSilence(_ count: Int) {
    for _ in 0..<count { take(0) }
  }

  private func sample(_ index: Int) -> Float {
    let root = Float(codes[index]) / Self.scale
    return root * abs(root)
  }

  private mutating func take(_ sample: Float) {
    let root = Self.scale * min(1, abs(sample)).squareRoot()
    codes.append(Int8(sample < 0 ? -root.rounded() : root.rounded()))
    // The difference of neighbors holds rumble back.
    let change = sample - previous
    power += change * change
    previous = sample
    guard codes.count % Self.hop == 0 else { return }
    levels.append(10 * log10(power / Float(Self.hop) + 1e-8))
    power = 0
  }

  /// The samples in `range`; silence where there are none.
  func samples(_ range: Range<Int>) -> [Double] {
    range.map { index in
      codes.indices.contains(index) ? Double(sample(index)) : 0
    }
  }

  /// How much louder it is than within the half second around, in decibels, every 10 ms.
  var envelope: [Double] {
    let reach = Self.envelopeRate / 4
    var sums = [0.0]
    sums.reserveCapacity(levels.count + 1)
    for level in levels { sums.append(sums[sums.count - 1] + Double(level)) }
    return levels.indices.map { index in
      let (first, last) = (max(0, index - reach), min(levels.count, index + reach + 1))
      return Double(levels[index]) - (sums[last] - sums[first]) / Double(last - first)
    }
  }
}
