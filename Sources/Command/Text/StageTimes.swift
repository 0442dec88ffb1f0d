import TesseraSystem

/// The processor time of a command's stages, one after the other, its workers' included.
struct StageTimes {
  private var stages: [String: Double] = [:]
  private var before = 0.0

  /// Notes that a stage ends; only its first end counts.
  mutating func end(_ stage: String) {
    guard stages[stage] == nil else { return }
    let now = ProcessorTime.spent
    stages[stage] = ((now - before) * 1000).rounded() / 1000
    before = now
  }

  /// Notes that the last stage ends; returns the seconds of each.
  mutating func finish(_ stage: String) -> [String: Double] {
    end(stage)
    return stages
  }
}
