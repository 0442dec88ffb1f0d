import TesseraCodecs
public import TesseraPlan
package import TesseraSoundtrack
public import TesseraSystem
import TesseraTimeline

/// What a render made and what each participant contributed to it and lost.
public struct RenderReport: Sendable, Codable {
  /// The file.
  public var output = ""
  /// Its length in seconds.
  public var duration: Double
  /// Its size in bytes.
  public var byteCount = 0
  /// Its frames.
  public var frameCount: Int
  /// Those of its frames that were there from an earlier run.
  public var reused = 0
  /// How long it took, in seconds.
  public var elapsed = 0.0
  /// Luma and chroma samples that were written onto the canvas.
  public var pixelsWritten: Int
  /// What every participant came to, in their order.
  public var inputs: [Input]
  /// What is worth knowing, but no loss; a sentence each.
  public var notes: [String]
  /// What happened in the call; nil where it was not planned.
  package var call: CallRecord?
  /// The parts of the call that the output leaves out; nil where there are none.
  package var cuts: [Cut]?
  /// Where the finished file is not what was composed, in its order; nil where it was not verified.
  package var deviations: [Deviation]?
  /// Why no output was made; nil where one was.
  public var error: String?
  /// The reports on what else was made of the call; nil where that is nothing.
  public var outputs: [RenderReport]?

  /// A part of the call that is left out.
  package struct Cut: Hashable, Sendable, Codable {
    /// Where it begins and ends, in seconds of the call.
    package var from, to: Double
    /// Why it is left out.
    package var reason: String
  }

  /// Something in the finished file that is not what was composed.
  package struct Deviation: Hashable, Sendable, Codable {
    /// Where it begins and ends, in seconds of the output; nil where it is about all of it.
    package var from, to: Double?
    /// Whom it is about; nil where that is nobody.
    package var person: String?
    /// What it is, in words.
    package var text: String

    /// What `text` says.
    package init(from: Double?, to: Double?, person: String?, text: String) {
      (self.from, self.to, self.person, self.text) = (from, to, person, text)
    }
  }

  /// What one participant came to.
  public struct Input: Sendable, Codable {
    /// The participant's identifier in the plan.
    package var id: ParticipantID
    /// What the participant is called.
    public var name: String
    /// The participant's files.
    public var files: [String]
    /// The pictures of all tracks together; nil where there are none.
    public var pictures: PictureReport?
    /// The sound of all tracks together; nil where there is none.
    package var sound: VoiceReport?
    /// What each stretch of the person's sound came to.
    public var voices: [RenderReport.Voice]
    /// What was lost; empty for a participant who was rendered whole.
    public var losses: [Loss]
  }

  /// How well one stretch of sound fits its times.
  public struct Voice: Sendable, Codable {
    /// Its file.
    public var file: String
    /// Its stream's place in the file.
    public var stream: Int
    /// By how much its clock differs from its times, in parts per million; above 0 where it is
    /// slow.
    public var driftPartsPerMillion: Double
    /// How often sound was moved because something is missing or recorded twice.
    public var breakCount: Int
    /// Seconds of silence in the gaps between what was recorded.
    public var silence: Double
    /// Milliseconds of sound that was lost on the way and made up from what came before it.
    public var concealedMilliseconds = 0.0
    /// The same where the packet after it repeats what was lost.
    public var recoveredMilliseconds = 0.0
  }

  /// Seconds of timeline rendered in a second, without what was there from an earlier run.
  public var speed: Double { elapsed > 0 ? duration * (1 - reusedPart) / elapsed : 0 }
  /// The part of its frames that was there from an earlier run, 0...1.
  package var reusedPart: Double { Double(reused) / Double(max(1, frameCount)) }
  /// Everything that was lost, in the participants' order.
  public var allLosses: [Loss] { inputs.flatMap(\.losses) }
  /// Those of ``notes`` that mixing the sound showed.
  package var soundNotes: [String] { inputs.compactMap { $0.sound?.note(on: $0.name) } }
  /// Whether anything was lost.
  public var hasLosses: Bool { inputs.contains { !$0.losses.isEmpty } }
}

extension RenderReport {
  /// The report on `plan`, whose tracks came to `pictures` and whose voices came to `voices`, in
  /// the plan's order; `hasPictures` is whether the output has any.
  init(
    _ plan: Plan, pictures: [TrackID: PictureReport], voices: [VoiceReport], pixelsWritten: Int,
    hasPictures: Bool = true
  ) {
    let sounds = Dictionary(
      uniqueKeysWithValues: zip(plan.voices.map(\.id), voices))
    let isCut = plan.cut.count < plan.frameCount
    let inputs = plan.participants.map { participant in
      var input = Input(participant, of: plan, pictures, sounds)
      if isCut { input.losses = input.losses.compactMap { $0.located(at: plan.times) } }
      return input
    }
    self.init(
      duration: plan.duration.seconds, frameCount: hasPictures ? plan.cut.count : 0,
      pixelsWritten: pixelsWritten, inputs: inputs, notes: plan.notes,
      call: CallRecord(plan, hasPictures: hasPictures))
    let holes = plan.times.holes(before: plan.frameCount)
    if !holes.isEmpty {
      let reasons = Dictionary(
        plan.removals.map { ($0.interval, $0.reason) }, uniquingKeysWith: { first, _ in first })
      cuts = holes.map {
        Cut(from: $0.start.seconds, to: $0.end.seconds, reason: reasons[$0] ?? "cut")
      }
    }
    notes += soundNotes
  }
}

extension RenderReport {
  /// The first of `reports`, with the others.
  init(_ reports: [RenderReport]) {
    self = reports[0]
    if reports.count > 1 { outputs = Array(reports.dropFirst()) }
  }

  /// The report and those on all other outputs.
  package var withOthers: [RenderReport] {
    var own = self
    own.outputs = nil
    return [own] + (outputs ?? [])
  }
}

extension RenderReport {
  /// The report on a render that failed; `plan` is nil where it did not come that far.
  public init(failed error: RenderError, _ plan: Plan?) {
    if let plan {
      self.init(plan, pictures: [:], voices: [], pixelsWritten: 0)
    } else {
      self.init(duration: 0, frameCount: 0, pixelsWritten: 0, inputs: [], notes: [])
    }
    self.error = error.commandLine
  }
}

extension RenderReport.Input {
  fileprivate init(
    _ participant: Plan.Participant, of plan: Plan, _ pictures: [TrackID: PictureReport],
    _ sounds: [TrackID: VoiceReport]
  ) {
    (id, name, files) = (participant.id, participant.name, participant.files)
    voices = []
    losses = plan.losses.filter { $0.participant == participant.id }
    for track in plan.tracks where track.participant == participant.id {
      guard let report = pictures[track.id] else { continue }
      self.pictures = self.pictures.map { $0 + report } ?? report
      losses += report.losses(of: track)
    }
    for voice in plan.voices where voice.participant == participant.id {
      guard let report = sounds[voice.id] else { continue }
      self.sound = self.sound.map { $0 + report } ?? report
      voices.append(RenderReport.Voice(voice, report))
      losses += report.losses(of: voice)
    }
  }
}

extension RenderReport.Voice {
  fileprivate init(_ voice: Plan.Voice, _ report: VoiceReport) {
    file = voice.source.path
    stream = voice.source.sound.track.stream.index
    driftPartsPerMillion = report.driftPartsPerMillion
    breakCount = report.breakCount
    silence = Double(report.silentSamples) / Double(Soundtrack.sampleRate)
    concealedMilliseconds = Double(report.concealedSamples) / 48
    recoveredMilliseconds = Double(report.recoveredSamples) / 48
  }
}
