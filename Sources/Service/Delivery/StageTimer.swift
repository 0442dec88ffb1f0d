import TesseraSystem

/// Measures the processor time of consecutive stages of a command, worker processes included.
/// Times are in seconds, rounded to 1 ms.
struct StageTimer {
  private var stages: [String: Double] = [:]
  private var before = 0.0

  /// Ends `stage`, which gets the processor time since the previous stage's end.
  ///
  /// `other` is a stage that ran within it: its seconds are recorded for itself and subtracted from
  /// `stage`. Later calls for the same stage are ignored.
  mutating func end(_ stage: String, but other: (stage: String, seconds: Double)? = nil) {
    guard stages[stage] == nil else { return }
    let now = CPUTime.spent
    let took = now - before
    let apart = min(took, other?.seconds ?? 0)
    if let other, apart > 0 { stages[other.stage] = Self.rounded(apart) }
    stages[stage] = Self.rounded(took - apart)
    before = now
  }

  private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

  /// Ends the last stage, `stage`, and returns the seconds of all stages by name.
  mutating func finish(_ stage: String) -> [String: Double] {
    end(stage)
    return stages
  }
}
