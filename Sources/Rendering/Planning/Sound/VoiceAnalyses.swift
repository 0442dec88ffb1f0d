public import TesseraSoundtrack
public import TesseraSystem

/// What is in the voices of a call: each is heard once, whoever asks. Not to be shared by threads.
public final class VoiceAnalyses {
  /// A voice that was heard.
  struct Heard: Sendable {
    /// What was found.
    var analysis: VoiceAnalysis
    /// What was wrong with it.
    var report: VoiceReport
  }

  private var known: [TrackID: VoiceAnalysis] = [:]
  /// What stops the hearing.
  let cancellation: Cancellation

  /// Nothing is heard yet; less is once the cancellation is asked for.
  public init(cancellation: Cancellation) { self.cancellation = cancellation }

  /// The voice's analysis, where somebody has asked for it.
  subscript(_ id: TrackID) -> VoiceAnalysis? { known[id] }

  /// Hears those of `voices` that nobody has asked for, several at a time. Those that are not heard
  /// because somebody asked to stop have no analysis afterwards.
  func hear(_ voices: [Plan.Voice]) {
    let jobs = voices.filter { known[$0.id] == nil }
    let heard = Self.hear(jobs.map(\.source), cancellation: cancellation)
    for (voice, heard) in zip(jobs, heard) { known[voice.id] = heard?.analysis }
  }

  /// What is in all voices of the plan that this was given for.
  ///
  /// - Throws: ``RenderError`` once the cancellation was asked for.
  public func hear(_ plan: Plan) throws(RenderError) -> [TrackID: VoiceAnalysis] {
    hear(plan.voices)
    guard !cancellation.isCancelled else { throw .stopped(cancellation) }
    return known
  }

  /// Hears all of `voices`, in their order; nil for what was not heard to its end.
  static func hear(_ voices: [VoiceSource], cancellation: Cancellation) -> [Heard?] {
    WorkerThreads.map(voices, name: "voices", cancellation: cancellation) { voice in
      guard
        let (analysis, report) = try? VoiceAnalyzer.analyze(voice, cancellation: cancellation)
      else { return nil }
      return Heard(analysis: analysis, report: report)
    }
  }
}
