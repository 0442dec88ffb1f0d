import TesseraSoundtrack
import TesseraSystem

/// What is in the voices of a call: each is heard once, whoever asks.
final class VoiceAnalyses {
  private let cancellation: Cancellation
  private var known: [TrackID: VoiceAnalysis] = [:]

  init(cancellation: Cancellation) { self.cancellation = cancellation }

  /// The voice's analysis, where somebody has asked for it.
  subscript(_ id: TrackID) -> VoiceAnalysis? { known[id] }

  /// Hears those of `voices` that nobody has asked for, several at a time. Those that are not heard
  /// because somebody asked to stop have no analysis afterwards.
  func hear(_ voices: [Plan.Voice]) {
    let jobs = voices.filter { known[$0.id] == nil }
    guard !jobs.isEmpty else { return }
    let results = Monitor([VoiceAnalysis?](repeating: nil, count: jobs.count))
    let next = Monitor(0)
    let threads = WorkerThreads(count: min(Machine.cores, jobs.count), name: "voices") {
      [cancellation] in
      while true {
        let number = next.withLock { number in
          defer { number += 1 }
          return number
        }
        guard number < jobs.count, !cancellation.isCancelled else { return }
        let source = jobs[number].source
        guard let found = try? VoiceAnalyzer.analyze(source, cancellation: cancellation) else {
          return
        }
        results.withLock { $0[number] = found.analysis }
      }
    }
    threads.join()
    for (voice, analysis) in zip(jobs, results.withLock { $0 }) { known[voice.id] = analysis }
  }
}
