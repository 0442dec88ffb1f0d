import TesseraCodecs
import TesseraJobs
package import TesseraPlan
package import TesseraSoundtrack
package import TesseraSystem
import TesseraTimeline

/// Analyses of the voices of a call. Each voice is decoded once, however often it is requested. Not
/// thread-safe.
package final class VoiceAnalyses {
  /// The result of decoding a voice.
  package struct AnalyzedVoice: Sendable, Codable {
    /// Levels and speech of the voice.
    var analysis: VoiceAnalysis
    /// Problems found while decoding.
    var report: VoiceReport
    /// The place at which the voice is cut off because decoding it further crashed workers; `nil`
    /// if it did not. Times are the voice's own.
    var crash: CrashedTrackLoss?
  }

  private var known: [TrackID: VoiceAnalysis] = [:]
  private var crashes: [TrackID: CrashedTrackLoss] = [:]
  /// The task pool that decodes voices.
  private(set) var readers: TaskWorkerPool
  /// The cache of earlier analyses; `nil` for none.
  private(set) var cache: ScanCache?
  /// The analyses shared with other plans of the call.
  private var findings = SoundAnalysisCache()

  /// Creates an empty set of analyses. A cancellation stops decoding.
  package init(cancellation: Cancellation) { readers = TaskWorkerPool(cancellation: cancellation) }

  /// Sets the task pool, cache and shared findings for further analyses.
  func use(_ readers: TaskWorkerPool, _ cache: ScanCache?, _ findings: SoundAnalysisCache) {
    (self.readers, self.cache, self.findings) = (readers, cache, findings)
  }

  /// The voice's analysis, or `nil` if it was not requested yet.
  subscript(_ id: TrackID) -> VoiceAnalysis? { known[id] }

  /// Analyzes those of `voices` that are not known yet, several at a time. After a cancellation,
  /// some have no analysis.
  func hear(_ voices: [Plan.Voice]) throws(RenderError) {
    let jobs = voices.filter { known[$0.id] == nil }
    let heard = try findings.heard(jobs.map(\.source)) { sources throws(RenderError) in
      try Self.hear(sources, readers, cache)
    }
    for (voice, heard) in zip(jobs, heard) {
      known[voice.id] = heard?.analysis
      crashes[voice.id] = heard?.crash
    }
  }

  /// Returns the sides of those of `voices` that are only on one stereo channel.
  func sides(of voices: [Plan.Voice]) throws(RenderError) -> [TrackID: StereoChannel] {
    let unknown = voices.filter { known[$0.id] == nil && $0.source.sound.hasSides }
    let found = try findings.sides(unknown.map(\.source)) { sources throws(RenderError) in
      try readers.read(sources.map { .side($0) }, cache: cache).map { result in
        if case .side(let side) = result { side } else { nil }
      }
    }
    var sides = known.compactMapValues(\.side)
    for (voice, side) in zip(unknown, found) {
      if let side { sides[voice.id] = side }
    }
    return sides
  }

  /// Analyzes all voices of `plan`, which these analyses were created for, and returns all
  /// analyses.
  ///
  /// - Throws: ``RenderError`` after a cancellation.
  package func hear(_ plan: Plan) throws(RenderError) -> [TrackID: VoiceAnalysis] {
    try hear(plan.voices)
    guard !readers.cancellation.isCancelled else { throw .stopped(readers.cancellation) }
    return known
  }

  /// Analyzes `voices` and returns the results in their order; `nil` for a voice that was not
  /// decoded to its end. Results in `cache` are not computed again.
  static func hear(
    _ voices: [VoiceSource], _ readers: TaskWorkerPool, _ cache: ScanCache?
  ) throws(RenderError) -> [AnalyzedVoice?] {
    try readers.read(voices.map { .hear($0) }, cache: cache).map { result in
      guard case .heard(let heard) = result else { return nil }
      return heard
    }
  }
}

extension SoundSource {
  /// True if the sound has more than one channel.
  fileprivate var hasSides: Bool { channel == nil && (track.stream.audio?.channels ?? 2) > 1 }
}

extension VoiceAnalyses {
  /// Returns the part of the voice that can be decoded without a crash.
  func readable(_ voice: Plan.Voice) -> VoiceSource {
    voice.source.ended(by: crashes[voice.id], from: voice.source.start)
  }

  /// Returns `people` with voices cut off where decoding crashed workers, and a loss for each.
  func ended(_ people: [PlannedParticipant]) -> [PlannedParticipant] {
    people.map { person in
      var person = person
      for (place, voice) in person.voices.enumerated().reversed() {
        guard let crash = crashes[voice.id] else { continue }
        let whole = voice.source.interval
        let ended = readable(voice)
        person.voices[place].source = ended
        if ended.interval.end <= ended.interval.start { person.voices.remove(at: place) }
        person.losses.append(
          Loss(
            .crash(crash.manner), track: voice.id, of: person.id, source: voice.source.path,
            intervals: [TimeRange(start: ended.interval.end, end: whole.end)]))
      }
      return person
    }
  }
}
