import TesseraCodecs
import TesseraJobs
package import TesseraPlan
package import TesseraSoundtrack
package import TesseraSystem
import TesseraTimeline

/// What is in the voices of a call: each is heard once, however often it is asked for. Not to be shared by threads.
package final class VoiceAnalyses {
  /// A voice that was heard.
  package struct Heard: Sendable, Codable {
    /// What was found.
    var analysis: VoiceAnalysis
    /// What was wrong with it.
    var report: VoiceReport
    /// Where it ends, by its own times, because what follows brought workers down.
    var crash: CrashLoss?
  }

  private var known: [TrackID: VoiceAnalysis] = [:]
  private var crashes: [TrackID: CrashLoss] = [:]
  /// The tasks that hear.
  private(set) var readers: TaskPool
  /// What was heard for other plans; nil is nothing.
  private(set) var cache: ScanCache?
  /// What was found for other plans of the call.
  private var findings = SoundFindings()

  /// Nothing is heard yet; less is once the cancellation is asked for.
  package init(cancellation: Cancellation) { readers = TaskPool(cancellation: cancellation) }

  /// From now on these hear what neither `cache` nor `findings` knows, and tell how far they are.
  func use(_ readers: TaskPool, _ cache: ScanCache?, _ findings: SoundFindings) {
    (self.readers, self.cache, self.findings) = (readers, cache, findings)
  }

  /// The voice's analysis, where somebody has asked for it.
  subscript(_ id: TrackID) -> VoiceAnalysis? { known[id] }

  /// Hears those of `voices` that nobody has asked for, several at a time. Those that are not heard
  /// because somebody asked to stop have no analysis afterwards.
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

  /// The sides of those of `voices` that are on one alone.
  func sides(of voices: [Plan.Voice]) throws(RenderError) -> [TrackID: SoundSide] {
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

  /// What is in all voices of the plan that this was given for.
  ///
  /// - Throws: ``RenderError`` once the cancellation was asked for.
  package func hear(_ plan: Plan) throws(RenderError) -> [TrackID: VoiceAnalysis] {
    try hear(plan.voices)
    guard !readers.cancellation.isCancelled else { throw .stopped(readers.cancellation) }
    return known
  }

  /// Hears those of `voices` that `cache` does not know; what is in all, in their order, and nil for
  /// what was not heard to its end.
  static func hear(
    _ voices: [VoiceSource], _ readers: TaskPool, _ cache: ScanCache?
  ) throws(RenderError) -> [Heard?] {
    try readers.read(voices.map { .hear($0) }, cache: cache).map { result in
      guard case .heard(let heard) = result else { return nil }
      return heard
    }
  }
}

extension SoundSource {
  /// Whether there is more than one channel.
  fileprivate var hasSides: Bool { channel == nil && (track.stream.audio?.channels ?? 2) > 1 }
}

extension VoiceAnalyses {
  /// What of the voice can be read.
  func readable(_ voice: Plan.Voice) -> VoiceSource {
    voice.source.ended(by: crashes[voice.id], from: voice.source.start)
  }

  /// `people` with their voices ended where hearing them brought workers down, and a loss for each.
  func ended(_ people: [Person]) -> [Person] {
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
