import TesseraMedia
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// What planning has to know of recordings, and what has to be read and decoded for it.
enum ReadingTask: Sendable, Codable {
  /// What the file at that path holds.
  case probe(String)
  /// What the container at that path says about its streams.
  case streams(String)
  /// What is in a voice.
  case hear(VoiceSource)
  /// Which side a voice is on.
  case side(VoiceSource)
  /// What voices sound like together, for so many seconds at most.
  case sketch([VoiceSource], seconds: Int)
  /// How loud voices are together in those steps of the timeline.
  case mix([VoiceSource], steps: [Range<Int>])

  /// What is being done where it is one of many.
  var phase: PlanningProgress.Phase {
    switch self {
    case .probe, .streams: .reading
    case .hear, .side: .listening
    case .sketch: .aligning
    case .mix: .measuring
    }
  }

  /// The files that are read.
  var paths: [String] {
    switch self {
    case .probe(let path), .streams(let path): [path]
    case .hear(let voice), .side(let voice): [voice.path]
    case .sketch(let voices, _), .mix(let voices, _): voices.map(\.path)
    }
  }
}

/// What came of a task.
enum ReadingResult: Sendable, Codable {
  case scan(MediaScan)
  case streams([RecordingSource.StreamFacts]?)
  case unreadable(MediaError)
  case heard(VoiceAnalyses.Heard)
  /// The side that a voice is on; nil for both.
  case side(SoundSide?)
  case sketch(SoundSketch)
  /// The powers of every step; nil where they are not known.
  case powers([[Double]]?)
}

extension ReadingTask {
  /// Does the task, noting what is decoded in the slot `number` of `note`, without what `losses` say
  /// brought workers down; nil where somebody asked to stop.
  func perform(
    _ number: Int = 0, note: CrashNote? = nil, without losses: [CrashLoss] = [],
    cancellation: Cancellation
  ) -> ReadingResult? {
    let voiceNote = note.map { VoiceNote($0, track: number) }
    switch self {
    case .probe(let path):
      if let loss = losses.last {
        return .unreadable(MediaError(path: path, reason: .crash(loss.manner)))
      }
      note?.enter(.probing, track: number, time: 0)
      defer { note?.leave(track: number) }
      do throws(MediaError) {
        return .scan(try MediaFile.scan(path, cancellation: cancellation))
      } catch {
        return .unreadable(error)
      }
    case .streams(let path):
      guard losses.isEmpty else { return .streams(nil) }
      note?.enter(.probing, track: number, time: 0)
      defer { note?.leave(track: number) }
      return .streams(StreamListing.facts(path, cancellation))
    case .hear(let voice):
      let crash = Self.crash(losses)
      let heard = try? VoiceAnalyzer.analyze(
        voice.ended(by: crash, from: voice.start), note: voiceNote, cancellation: cancellation)
      return heard.map {
        .heard(VoiceAnalyses.Heard(analysis: $0.analysis, report: $0.report, crash: crash))
      }
    case .side(let voice):
      guard losses.isEmpty else { return .side(nil) }
      let side = try? VoiceAnalyzer.side(of: voice, note: voiceNote, cancellation: cancellation)
      return side.map { .side($0) }
    case .sketch(let voices, let seconds):
      let crash = Self.crash(losses)
      let sketch = try? SoundSketch.read(
        voices.map { $0.ended(by: crash, from: .zero) }, seconds: seconds, note: voiceNote,
        cancellation: cancellation)
      return sketch.map { .sketch($0) }
    case .mix(let voices, let steps):
      guard losses.isEmpty else { return .powers(nil) }
      let powers = try? steps.map {
        try MixMeasure.powers(of: voices, in: $0, note: voiceNote, cancellation: cancellation)
      }
      return powers.map { .powers($0) }
    }
  }

  /// What all losses of a voice come to: what did not help the first time is not tried again.
  private static func crash(_ losses: [CrashLoss]) -> CrashLoss? {
    guard var crash = losses.last else { return nil }
    if losses.count > 1 { crash.time = 0 }
    return crash
  }
}

extension VoiceSource {
  /// The voice up to where it brought a worker down, by times from `origin` on.
  func ended(by crash: CrashLoss?, from origin: MediaTime) -> VoiceSource {
    guard let crash else { return self }
    var voice = self
    let end = max(interval.start, min(interval.end, origin + crash.end))
    voice.interval = TimeInterval(start: interval.start, end: end)
    return voice
  }
}
