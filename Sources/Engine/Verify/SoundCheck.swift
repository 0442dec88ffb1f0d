import Glibc
import TesseraMessages
import TesseraProof

/// Compares the sound of a file with the mix in its proof: timing, level and silence.
///
/// The proof stores the mix's level in each frequency band at every step of 10 ms. The check
/// measures the file's envelope in finer steps, so that it can also find shifts.
struct SoundCheck {
  private let proof: OutputProof.Sound
  private let levels: [UInt8]
  private let tolerance: Tolerance
  private var envelope = SoundEnvelopeMeter(steps: SoundCheck.fineSteps)
  /// The number of fine steps that were removed from the start of ``envelope``.
  private var dropped = 0
  /// The second that is checked next.
  private var second = 0
  private var shifts: DeviationRunMerger<Int>
  private var louder: DeviationRunMerger<Bool>
  private var silences: DeviationRunMerger<Bool>

  /// The fine steps per second in which shifts are measured.
  private static let fineSteps = 400
  private static let perStep = fineSteps / SoundEnvelopeMeter.steps
  /// The largest shift that is searched for, in fine steps: 60 ms either way.
  private static let reach = 24

  /// The allowed difference from the mix.
  struct Tolerance {
    /// The shift in seconds.
    var place = 0.005
    /// The difference of a second's median level in dB.
    var level = 1.0
  }

  /// Limits that do not depend on the codec.
  enum Limit {
    /// Decibels below the mix that count as missing sound, and the least steps of 10 ms to report.
    static let (silence, silentSteps) = (12.0, 15)
    /// The level of the mix in dBFS below which nothing is checked.
    static let quiet = -55.0
  }

  /// Creates a check against `proof` that starts at second `second`.
  init(_ proof: OutputProof.Sound, tolerance: Tolerance = Tolerance(), from second: Int = 0) {
    (self.proof, self.tolerance) = (proof, tolerance)
    (self.second, dropped) = (second, second * Self.fineSteps)
    levels = Array(proof.levels)
    (shifts, louder, silences) = (
      DeviationRunMerger(patience: 2), DeviationRunMerger(patience: 1),
      DeviationRunMerger(patience: 30)
    )
  }

  /// Takes the next interleaved stereo samples and checks each second once its samples are
  /// complete.
  mutating func hear(_ samples: Span<Float>, _ verdict: inout VerificationReport) {
    envelope.append(samples)
    while available >= (second + 1) * Self.fineSteps + 2 * Self.reach { look(&verdict) }
  }

  /// Checks the remaining seconds and reports open runs.
  mutating func finish(_ verdict: inout VerificationReport) {
    envelope.finish()
    let count = levels.count / SoundEnvelopeMeter.bandCount
    while second * SoundEnvelopeMeter.steps < count, second * Self.fineSteps < available {
      look(&verdict)
    }
    report(before: nil, &verdict)
    verdict.look(at: .place)
    verdict.look(at: .level)
  }

  /// The number of fine steps measured so far.
  private var available: Int { dropped + envelope.powers.count / SoundEnvelopeMeter.bandCount }

  private func expected(_ step: Int, _ band: Int) -> Double? {
    let place = step * SoundEnvelopeMeter.bandCount + band
    return place < levels.count ? SoundEnvelopeMeter.decibels(levels[place]) : nil
  }

  /// Returns the mean power of a band in the 10 ms from the fine step `fine` on; `nil` if not
  /// measured.
  private func power(_ fine: Int, _ band: Int) -> Float? {
    guard fine >= dropped, fine + Self.perStep <= available else { return nil }
    var sum: Float = 0
    for step in fine..<(fine + Self.perStep) {
      sum += envelope.powers[(step - dropped) * SoundEnvelopeMeter.bandCount + band]
    }
    return sum / Float(Self.perStep)
  }

  private static func decibels(_ power: Float) -> Double {
    max(SoundEnvelopeMeter.floor, 10 * log10(Double(max(power, 1e-12))))
  }

  /// Returns the mean difference in dB between the current second, shifted by `shift` fine steps,
  /// and the mix; `nil` if too little of it is audible.
  private func cost(_ shift: Int) -> Double? {
    var (sum, count) = (0.0, 0)
    let first = second * SoundEnvelopeMeter.steps
    for step in first..<(first + SoundEnvelopeMeter.steps) {
      for band in 0..<SoundEnvelopeMeter.bandCount {
        guard let wanted = expected(step, band), wanted > Limit.quiet,
          let found = power(step * Self.perStep + shift, band)
        else { continue }
        sum += min(20, abs(Self.decibels(found) - wanted))
        count += 1
      }
    }
    return count >= 40 ? sum / Double(count) : nil
  }

  private mutating func look(_ verdict: inout VerificationReport) {
    defer {
      second += 1
      let keep = max(0, second * Self.fineSteps - 2 * Self.reach)
      if keep > dropped {
        envelope.removeFirst(keep - dropped)
        dropped = keep
      }
      report(before: second, &verdict)
    }
    lookForLevel(lookForShift())
  }

  /// Returns the shift of the current second in steps of 1/``fineSteps`` s, positive if the sound
  /// is late; 0 if no shift fits clearly better.
  private mutating func lookForShift() -> Int {
    guard let own = cost(0), own > 0.5 else { return 0 }
    var (best, shift) = (own, 0)
    for candidate in -Self.reach...Self.reach {
      if let cost = cost(candidate), cost < best { (best, shift) = (cost, candidate) }
    }
    let offset = Double(shift) / Double(Self.fineSteps)
    // Consecutive changes of level look alike: a shift counts only if it fits much better.
    guard abs(offset) > tolerance.place, best < 0.6 * own, best < 3 else { return 0 }
    shifts.add(shift, second, abs(offset))
    return shift
  }

  /// Returns the level of all bands together, in dB.
  private func whole(_ powers: [Double]) -> Double {
    10 * log10(max(1e-12, powers.reduce(0) { $0 + pow(10, $1 / 10) }))
  }

  private mutating func lookForLevel(_ shift: Int) {
    var differences: [Double] = []
    let first = second * SoundEnvelopeMeter.steps
    for step in first..<(first + SoundEnvelopeMeter.steps) {
      var (wanted, found): ([Double], [Double]) = ([], [])
      for band in 0..<SoundEnvelopeMeter.bandCount {
        guard let level = expected(step, band), let power = power(step * Self.perStep + shift, band)
        else {
          break
        }
        wanted.append(level)
        found.append(Self.decibels(power))
      }
      guard wanted.count == SoundEnvelopeMeter.bandCount else { continue }
      let level = whole(wanted)
      guard level > Limit.quiet else { continue }
      let difference = whole(found) - level
      differences.append(difference)
      if difference < -Limit.silence { silences.add(true, step, -difference) }
    }
    guard differences.count >= 20 else { return }
    let median = differences.sorted()[differences.count / 2]
    if abs(median) > tolerance.level { louder.add(median > 0, second, abs(median)) }
  }

  // MARK: Findings

  /// Returns the names of the speakers between `start` and `end`, in seconds; `nil` if nobody
  /// speaks.
  private func people(_ start: Double, _ end: Double) -> String? {
    var names: [String] = []
    for turn in proof.turns {
      let (from, to) = (Double(turn.start) / 1000, Double(turn.end) / 1000)
      if from < end, to > start, !names.contains(turn.name) { names.append(turn.name) }
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  private mutating func report(before second: Int?, _ verdict: inout VerificationReport) {
    for (shift, run) in shifts.ended(before: second) {
      let milliseconds = Double(shift) / Double(Self.fineSteps) * 1000
      verdict.note(
        .place, from: Double(run.first), to: Double(run.last + 1),
        "sound is \(Int(abs(milliseconds).rounded())) ms too \(shift > 0 ? "late" : "early")",
        measured: milliseconds / 1000, limit: tolerance.place)
    }
    for (isLouder, run) in louder.ended(before: second) {
      verdict.note(
        .level, from: Double(run.first), to: Double(run.last + 1),
        "sound is \((run.worst * 10).rounded() / 10) dB too \(isLouder ? "loud" : "low")",
        person: people(Double(run.first), Double(run.last + 1)), measured: run.worst,
        limit: tolerance.level)
    }
    for (_, run) in silences.ended(before: second.map { $0 * SoundEnvelopeMeter.steps }) {
      guard run.count >= Limit.silentSteps else { continue }
      let (start, end) = (Double(run.first) / 100, Double(run.last + 1) / 100)
      verdict.note(
        .level, from: start, to: end, "sound is missing", person: people(start, end),
        measured: run.worst, limit: Limit.silence)
    }
  }
}
