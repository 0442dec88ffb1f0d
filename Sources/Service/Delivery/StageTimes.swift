import TesseraSystem

/// The processor time of a command's stages, one after the other, its workers' included.
struct StageTimes {
  private var stages: [String: Double] = [:]
  private var before = 0.0

  /// Notes that a stage ends, of whose seconds some are those of `other`; only its first end counts.
  mutating func end(_ stage: String, but other: (stage: String, seconds: Double)? = nil) {
    guard stages[stage] == nil else { return }
    let now = ProcessorTime.spent
    let took = now - before
    let apart = min(took, other?.seconds ?? 0)
    if let other, apart > 0 { stages[other.stage] = Self.rounded(apart) }
    stages[stage] = Self.rounded(took - apart)
    before = now
  }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

  /// Notes that the last stage ends; returns the seconds of each.
  mutating func finish(_ stage: String) -> [String: Double] {
    end(stage)
    return stages
  }
}
