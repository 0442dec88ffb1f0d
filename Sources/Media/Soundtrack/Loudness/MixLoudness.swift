import Glibc
import TesseraTimeline

/// How loud a mix is, from what was found in its voices and, where several speak at once, from
/// mixing parts of it.
///
/// Voices that have nothing to do with each other add up as their powers do; those that do (one
/// heard through another's microphone, the same recording twice) come to more or less. So where
/// they overlap the mix is measured: all of it in up to ``windows`` windows, evenly chosen parts
/// of it in a longer call, whose ratio to the sum of the powers then holds for the rest.
struct MixLoudness {
  /// Nanoseconds of a step.
  static let step = 20_000_000 as Int64
  /// Steps of a block and between two blocks: 400 ms, overlapping by three quarters.
  private static let (block, distance) = (20, 5)
  /// Steps of a window that is measured: 3 s.
  private static let window = 150
  /// How many windows are measured at most: two minutes.
  private static let windows = 40

  /// What the limiter's reduction falls to within a step.
  private static let release = exp(-0.02 * Double(Soundtrack.sampleRate) / Double(Limiter.release))

  /// The power of every step, K-weighted, as if voices had nothing to do with each other.
  private var powers: [Double]
  /// The power of the strongest voice in every step, and that of all voices' peaks.
  private var (strongest, peaks): ([Float], [Float])
  /// What the power of every step is multiplied with to be the mix's.
  private var corrections: [Float]
  /// The steps that are heard.
  private let shown: Range<Int>

  /// The sum of `voices`, each under its curve, of which what lies in `shown` is heard.
  init(_ voices: [(voice: Leveling.Voice, curve: GainCurve)], shown: TimeRange?) {
    let end = voices.map { $0.voice.interval.end.nanoseconds / Self.step }.max() ?? 0
    let count = max(0, Int(min(end, 1 << 28)))
    powers = []
    (strongest, peaks) = ([], [])
    corrections = [Float](repeating: 1, count: count)
    let part = shown.map {
      Int($0.start.nanoseconds / Self.step)..<Int($0.end.nanoseconds / Self.step)
    }
    self.shown = (part ?? 0..<count).clamped(to: 0..<count)
    take(voices)
  }

  /// Becomes the sum of `voices` under other curves, which add up as they did.
  mutating func take(_ voices: [(voice: Leveling.Voice, curve: GainCurve)]) {
    powers = [Double](repeating: 0, count: corrections.count)
    strongest = [Float](repeating: 0, count: corrections.count)
    peaks = strongest
    for (voice, curve) in voices { add(voice, curve) }
  }

  private mutating func add(_ voice: Leveling.Voice, _ curve: GainCurve) {
    let shift = Int(voice.start.nanoseconds / Self.step)
    let heard =
      Int(
        voice.interval.start.nanoseconds / Self.step)..<Int(
        voice.interval.end.nanoseconds / Self.step)
    var index = 0
    for (number, code) in voice.analysis.levels.enumerated() where code > 0 {
      let place = number + shift
      guard place >= 0, place < powers.count, heard.contains(place) else { continue }
      let middle = Int64(number * VoiceAnalysis.hop + VoiceAnalysis.hop / 2)
      let gain = curve.decibels(at: middle, from: &index)
      guard gain > GainCurve.silence else { continue }
      let factor = pow(10, Double(gain) / 10)
      let power = LevelCode.powers[Int(code)] * factor
      powers[place] += power
      strongest[place] = max(strongest[place], Float(power))
      peaks[place] += Float(LevelCode.powers[Int(voice.analysis.peaks[number])] * factor)
    }
  }

  // MARK: - Where voices overlap

  /// Whether more than one voice counts in a step.
  private func overlaps(_ step: Int) -> Bool {
    powers[step] > 1e-7 && powers[step] > 1.1 * Double(strongest[step])
  }

  /// The ranges of steps to be measured.
  var overlapping: [Range<Int>] {
    let all = stride(from: shown.lowerBound, to: shown.upperBound, by: Self.window).map {
      $0..<min(shown.upperBound, $0 + Self.window)
    }
    let found = all.filter { range in 5 * range.count(where: overlaps) > range.count }
    guard found.count > Self.windows else { return found }
    return (0..<Self.windows).map { found[$0 * found.count / Self.windows] }
  }

  /// Takes over what was measured in some of the steps.
  mutating func correct(_ measured: [(steps: Range<Int>, powers: [Double])]) {
    let places = measured.flatMap { range, powers in zip(range, powers).map { ($0, $1) } }
    let known = Set(places.map(\.0))
    let shared = places.filter { overlaps($0.0) }
    let expected = shared.reduce(0) { $0 + powers[$1.0] }
    if expected > 0 {
      let ratio = Float(shared.reduce(0) { $0 + $1.1 } / expected)
      for step in powers.indices where overlaps(step) && !known.contains(step) {
        corrections[step] = ratio
      }
    }
    for (step, power) in places where powers[step] > 0 {
      corrections[step] = Float(power / powers[step])
    }
  }

  // MARK: - The loudness

  /// What the limiter leaves of the power of each step that is heard.
  private var limited: [Double] {
    var reduction = 0.0
    return shown.map { step in
      let peak = 10 * log10(max(1e-12, Double(peaks[step])))
      let needed = peak - Double(Limiter.ceilingDecibels)
      reduction = max(needed, reduction * Self.release, 0)
      return powers[step] * Double(corrections[step]) * pow(10, -reduction / 10)
    }
  }

  /// The gated loudness of BS.1770 of what is heard in LUFS; nil where that is nothing.
  var integrated: Double? {
    let powers = limited
    var blocks: [Double] = []
    var sum = powers.prefix(Self.block).reduce(0, +)
    var first = 0
    while first + Self.block <= powers.count {
      blocks.append(max(0, sum) / Double(Self.block))
      for index in first..<min(first + Self.distance, powers.count - Self.block) {
        sum += powers[index + Self.block] - powers[index]
      }
      first += Self.distance
    }
    let audible = blocks.filter { $0 > pow(10, -7) }
    guard !audible.isEmpty else { return nil }
    let gate = audible.reduce(0, +) / Double(audible.count) / 10
    let loud = audible.filter { $0 > gate }
    return loud.isEmpty ? nil : 10 * log10(loud.reduce(0, +) / Double(loud.count))
  }
}
