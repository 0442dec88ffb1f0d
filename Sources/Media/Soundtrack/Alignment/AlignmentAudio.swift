import Glibc

/// A compact copy of a recording's sound for alignment: mono, 8 kHz, 8.4 kB a second.
package struct AlignmentAudio: Sendable, Codable {
  /// The sample rate, in hertz.
  package static let sampleRate = 8000
  /// The number of envelope values per second.
  static let envelopeRate = 100

  /// The signed square roots of the samples, scaled to 8 bits: the resolution follows the loudness.
  private var codes: [Int8] = []
  /// The level of the differences between neighboring samples, in decibels, every 10 ms.
  private(set) var levels: [Float] = []
  /// The decimator's state: the sum of input samples (at ``Soundtrack/sampleRate``) of the current
  /// output sample, the sum for the previous one, and the number of frames in the current sum.
  private var (sum, previousSum, summed): (Float, Float, Int) = (0, 0, 0)
  /// The power of sample differences in the current hop, and the previous sample.
  private var (power, previous): (Float, Float) = (0, 0)

  /// The number of mix frames for each sample of the audio.
  private static let step = Soundtrack.sampleRate / sampleRate
  /// The number of samples for each level.
  private static let hop = sampleRate / envelopeRate
  private static let scale: Float = 127

  package init() {}

  /// Creates audio from mono samples at ``sampleRate``.
  package init(_ samples: [Float]) {
    for sample in samples { take(sample) }
  }

  /// Creates audio without samples from the level curve of a voice, of which the first ten
  /// minutes are used.
  init(levels: [UInt8]) {
    let steps = Self.envelopeRate / VoiceAnalysis.hopsPerSecond
    for level in levels.prefix(600 * VoiceAnalysis.hopsPerSecond) {
      self.levels += repeatElement(Float(LevelByteCoding.decibels(level)), count: steps)
    }
  }

  /// The number of samples.
  var count: Int { codes.count }

  package var seconds: Double { Double(count) / Double(Self.sampleRate) }

  /// True if the audio contains no audible sound.
  package var isSilent: Bool { codes.allSatisfy { abs(Int($0)) <= 1 } }

  /// True if no passage varies enough to be found in another recording.
  package var isQuiet: Bool {
    AlignmentSearch.windows(of: AlignmentVoice(self), 1).isEmpty
  }

  /// Appends interleaved stereo at ``Soundtrack/sampleRate``.
  package mutating func append(_ block: [Float]) {
    for frame in 0..<block.count / 2 {
      sum += block[2 * frame] + block[2 * frame + 1]
      summed += 1
      guard summed == Self.step else { continue }
      // The mean over twice as many samples attenuates aliases.
      take((sum + previousSum) / Float(4 * Self.step))
      (previousSum, sum, summed) = (sum, 0, 0)
    }
  }

  /// Appends a part of other audio.
  mutating func append(_ other: AlignmentAudio, _ range: Range<Int>) {
    for index in range { take(other.sample(index)) }
  }

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
    // The difference of neighboring samples attenuates rumble.
    let change = sample - previous
    power += change * change
    previous = sample
    guard codes.count % Self.hop == 0 else { return }
    levels.append(10 * log10(power / Float(Self.hop) + 1e-8))
    power = 0
  }

  /// Returns the samples in `range`; zeros outside of the audio.
  func samples(_ range: Range<Int>) -> [Double] {
    range.map { index in
      codes.indices.contains(index) ? Double(sample(index)) : 0
    }
  }

  /// The level less the mean level of the half second around, in decibels, every 10 ms.
  var envelope: [Double] {
    let reach = Self.envelopeRate / 4
    let sums = levels.lazy.map { Double($0) }.runningSums
    return levels.indices.map { index in
      let (first, last) = (max(0, index - reach), min(levels.count, index + reach + 1))
      return Double(levels[index]) - (sums[last] - sums[first]) / Double(last - first)
    }
  }
}
