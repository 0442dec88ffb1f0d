public import TesseraSoundtrack
public import TesseraSystem

/// What was found in voices, each heard on a thread.
public enum HeardVoices {
  /// A voice that was heard.
  public struct Heard: Sendable {
    /// What was found.
    public var analysis: VoiceAnalysis
    /// What was wrong with it.
    public var report: VoiceReport
  }

  /// Hears all of `voices`, in their order; nil for what was not heard to its end.
  public static func hear(_ voices: [VoiceSource], cancellation: Cancellation) -> [Heard?] {
    guard !voices.isEmpty else { return [] }
    let results = Monitor([Heard?](repeating: nil, count: voices.count))
    let next = Monitor(0)
    let threads = WorkerThreads(count: min(Machine.cores, voices.count), name: "voices") {
      while true {
        let number = next.withLock { number in
          defer { number += 1 }
          return number
        }
        guard number < voices.count, !cancellation.isCancelled,
          let (analysis, report) = try? VoiceAnalyzer.analyze(
            voices[number], cancellation: cancellation)
        else { return }
        results.withLock { $0[number] = Heard(analysis: analysis, report: report) }
      }
    }
    threads.join()
    return results.withLock { $0 }
  }

  /// What was found in the voices of `plan`.
  ///
  /// - Throws: ``RenderError`` once the cancellation was asked for.
  public static func hear(
    _ plan: Plan, cancellation: Cancellation
  ) throws(RenderError) -> [TrackID: VoiceAnalysis] {
    let heard = hear(plan.voices.map(\.source), cancellation: cancellation)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    var found: [TrackID: VoiceAnalysis] = [:]
    for (voice, heard) in zip(plan.voices, heard) { found[voice.id] = heard?.analysis }
    return found
  }
}
