import Glibc
import TesseraProof

/// Holds the sound of a file against what was mixed.
struct SoundCheck {
  private let proof: Proof.Sound
  private let levels: [UInt8]
  private let tolerance: Tolerance
  private var envelope = SoundEnvelope(steps: SoundCheck.fineSteps)
  /// The fine steps that were let go of.
  private var dropped = 0
  /// The second that is looked at next.
  private var second = 0
  private var shifts: Runs<Int>
  private var louder: Runs<Bool>
  private var silences: Runs<Bool>

  /// Steps a second in which it is looked for where sound is.
  private static let fineSteps = 400
  private static let perStep = fineSteps / SoundEnvelope.steps
  /// Fine steps that sound is looked for before and after its place: 60 ms.
  private static let reach = 24

  /// By how much sound may differ.
  struct Tolerance {
    /// Seconds that it may be beside its place.
    var place = 0.005
    /// Decibels that it may be louder or less loud in a second.
    var level = 1.0
  }

  /// What is allowed.
  enum Limit {
    /// Decibels below what was mixed that are silence, and how many steps it takes.
    static let (silence, silentSteps) = (12.0, 15)
    /// What is too quiet to be looked at, in dBFS.
    static let quiet = -55.0
  }

  /// Holds sound, from that second on, against `proof`, from which it may differ by `tolerance`.
  init(_ proof: Proof.Sound, tolerance: Tolerance = Tolerance(), from second: Int = 0) {
    (self.proof, self.tolerance) = (proof, tolerance)
    (self.second, dropped) = (second, second * Self.fineSteps)
    levels = Array(proof.levels)
    (shifts, louder, silences) = (Runs(patience: 2), Runs(patience: 1), Runs(patience: 30))
  }

  /// Takes the next samples, interleaved.
  mutating func hear(_ samples: Span<Float>, _ verdict: inout Verdict) {
    envelope.append(samples)
    while available >= (second + 1) * Self.fineSteps + 2 * Self.reach { look(&verdict) }
  }

  /// Ends it.
  mutating func finish(_ verdict: inout Verdict) {
    envelope.finish()
    let count = levels.count / SoundEnvelope.bandCount
    while second * SoundEnvelope.steps < count, second * Self.fineSteps < available {
      look(&verdict)
    }
    report(before: nil, &verdict)
    verdict.look(at: .place)
    verdict.look(at: .level)
  }

  /// How many fine steps have been measured.
  private var available: Int { dropped + envelope.powers.count / SoundEnvelope.bandCount }

  private func expected(_ step: Int, _ band: Int) -> Double? {
    let place = step * SoundEnvelope.bandCount + band
    return place < levels.count ? SoundEnvelope.decibels(levels[place]) : nil
  }

  /// The power of a band in the step that begins with that fine step; nil where it is not known.
  private func power(_ fine: Int, _ band: Int) -> Float? {
    guard fine >= dropped, fine + Self.perStep <= available else { return nil }
    var sum: Float = 0
    for step in fine..<(fine + Self.perStep) {
      sum += envelope.powers[(step - dropped) * SoundEnvelope.bandCount + band]
    }
    return sum / Float(Self.perStep)
  }

  private static func decibels(_ power: Float) -> Double {
    max(SoundEnvelope.floor, 10 * log10(Double(max(power, 1e-12))))
  }

  /// How far the second is from what was mixed, `shift` fine steps later; nil where that cannot be told.
  private func cost(_ shift: Int) -> Double? {
    var (sum, count) = (0.0, 0)
    let first = second * SoundEnvelope.steps
    for step in first..<(first + SoundEnvelope.steps) {
      for band in 0..<SoundEnvelope.bandCount {
        guard let wanted = expected(step, band), wanted > Limit.quiet,
          let found = power(step * Self.perStep + shift, band)
        else { continue }
        sum += min(20, abs(Self.decibels(found) - wanted))
        count += 1
      }
    }
    return count >= 40 ? sum / Double(count) : nil
  }

  private mutating func look(_ verdict: inout Verdict) {
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

  /// Returns how many fine steps later the sound of the second is.
  private mutating func lookForShift() -> Int {
    guard let own = cost(0), own > 0.5 else { return 0 }
    var (best, shift) = (own, 0)
    for candidate in -Self.reach...Self.reach {
      if let cost = cost(candidate), cost < best { (best, shift) = (cost, candidate) }
    }
    let offset = Double(shift) / Double(Self.fineSteps)
    // Two changes of levels in a row look alike: what is nearer has to be so clearly.
    guard abs(offset) > tolerance.place, best < 0.6 * own, best < 3 else { return 0 }
    shifts.add(shift, second, abs(offset))
    return shift
  }

  /// The level of all bands together.
  private func whole(_ powers: [Double]) -> Double {
    10 * log10(max(1e-12, powers.reduce(0) { $0 + pow(10, $1 / 10) }))
  }

  private mutating func lookForLevel(_ shift: Int) {
    var differences: [Double] = []
    let first = second * SoundEnvelope.steps
    for step in first..<(first + SoundEnvelope.steps) {
      var (wanted, found): ([Double], [Double]) = ([], [])
      for band in 0..<SoundEnvelope.bandCount {
        guard let level = expected(step, band), let power = power(step * Self.perStep + shift, band)
        else {
          break
        }
        wanted.append(level)
        found.append(Self.decibels(power))
      }
      guard wanted.count == SoundEnvelope.bandCount else { continue }
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

  /// The speakers in a stretch; nil where there are none.
  private func people(_ start: Double, _ end: Double) -> String? {
    var names: [String] = []
    for turn in proof.turns {
      let (from, to) = (Double(turn.start) / 1000, Double(turn.end) / 1000)
      if from < end, to > start, !names.contains(turn.name) { names.append(turn.name) }
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  private mutating func report(before second: Int?, _ verdict: inout Verdict) {
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
    for (_, run) in silences.ended(before: second.map { $0 * SoundEnvelope.steps }) {
      guard run.count >= Limit.silentSteps else { continue }
      let (start, end) = (Double(run.first) / 100, Double(run.last + 1) / 100)
      verdict.note(
        .level, from: start, to: end, "sound is missing", person: people(start, end),
        measured: run.worst, limit: Limit.silence)
    }
  }
}
