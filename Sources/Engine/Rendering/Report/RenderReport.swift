import TesseraCodecs
package import TesseraMessages
public import TesseraPlan
package import TesseraSoundtrack
public import TesseraSystem
import TesseraTimeline

/// The report on a render: the output, and for each participant the contributions and losses.
public struct RenderReport: Sendable, Codable {
  /// The path of the output.
  public var output = ""
  /// The output's duration in seconds.
  public var duration: Double
  /// The output's size in bytes.
  public var byteCount = 0
  /// Number of frames of the output; 0 for sound alone.
  public var frameCount: Int
  /// Number of frames that were reused from an earlier run.
  public var reused = 0
  /// Seconds that the render took.
  public var elapsed = 0.0
  /// Number of luma and chroma samples that were written onto the canvas.
  public var pixelsWritten: Int
  /// The report on each participant, in the plan's order.
  public var inputs: [ParticipantReport]
  /// Remarks that are worth reporting but are no losses; one sentence each.
  public var notes: [String] {
    get { messages.map(\.commandLine) }
    set { messages = newValue.map { UserMessage($0) } }
  }
  /// The ``notes``, with options and files as values.
  package var messages: [UserMessage]
  /// The events of the call; nil if the call was not planned.
  package var call: CallActivity?
  /// The parts of the call that the output leaves out; nil if there are none.
  package var cuts: [Cut]?
  /// Differences between the finished file and the composed frames, in order of time; nil if the
  /// file was not verified.
  package var deviations: [Deviation]?
  /// The reason why no output was made; nil if it was made.
  public var error: String? {
    get { failure?.commandLine }
    set { failure = newValue.map { UserMessage($0) } }
  }
  /// The ``error``, with options and files as values.
  package var failure: UserMessage?
  /// The reports on the other outputs of the call; nil if there are none.
  public var outputs: [RenderReport]?

  /// A part of the call that the output leaves out.
  package struct Cut: Hashable, Sendable, Codable {
    /// Start and end of the cut, in seconds of the call.
    package var from, to: Double
    /// The reason for the cut, in a few words.
    package var reason: String
  }

  /// A difference between the finished file and the composed frames.
  package struct Deviation: Hashable, Sendable, Codable {
    /// Start and end, in seconds of the output; nil if all of it is affected.
    package var from, to: Double?
    /// The name of the affected participant; nil if none is.
    package var person: String?
    /// The difference, described in words.
    package var text: UserMessage

    /// Creates a deviation that `text` describes.
    package init(from: Double?, to: Double?, person: String?, text: UserMessage) {
      (self.from, self.to, self.person, self.text) = (from, to, person, text)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case output, duration, byteCount, frameCount, reused, elapsed, pixelsWritten, inputs
    case messages = "notes"
    case call, cuts, deviations
    case failure = "error"
    case outputs
  }

  /// The report on one participant.
  public struct ParticipantReport: Sendable, Codable {
    /// The participant's identifier in the plan.
    package var id: ParticipantID
    /// The participant's name.
    public var name: String
    /// The participant's files.
    public var files: [String]
    /// Statistics of the participant's pictures; nil if no track was shown.
    public var pictures: PictureReport?
    /// Statistics of the participant's sound; nil if no voice was mixed.
    package var sound: VoiceReport?
    /// The quality of each stretch of the participant's sound.
    public var voices: [RenderReport.VoiceQuality]
    /// The participant's losses; empty if nothing was lost.
    public var losses: [Loss]
  }

  /// The quality of one stretch of sound: clock drift, gaps and concealment.
  public struct VoiceQuality: Sendable, Codable {
    /// The path of the recording's file.
    public var file: String
    /// The index of the stream in the file.
    public var stream: Int
    /// The drift of the stream's sample clock against its timestamps, in parts per million;
    /// positive if the clock is slow.
    public var driftPartsPerMillion: Double
    /// Number of times that sound was moved because samples are missing or recorded twice.
    public var breakCount: Int
    /// Seconds of silence between recorded passages.
    public var silence: Double
    /// Milliseconds of lost sound that were concealed by extrapolating earlier sound.
    public var concealedMilliseconds = 0.0
    /// Milliseconds of lost sound that were recovered from redundant copies in the next packet.
    public var recoveredMilliseconds = 0.0
  }

  /// Seconds of output rendered per second, without reused frames.
  public var speed: Double { elapsed > 0 ? duration * (1 - reusedPart) / elapsed : 0 }
  /// The share of frames that were reused from an earlier run, 0...1.
  package var reusedPart: Double { Double(reused) / Double(max(1, frameCount)) }
  /// All losses, in the order of participants.
  public var allLosses: [Loss] { inputs.flatMap(\.losses) }
  /// The entries of ``notes`` that come from mixing the sound.
  package var soundNotes: [UserMessage] { inputs.compactMap { $0.sound?.note(on: $0.name) } }
  /// True if any participant has a loss.
  public var hasLosses: Bool { inputs.contains { !$0.losses.isEmpty } }
}

extension RenderReport {
  /// Creates the report on `plan`.
  ///
  /// - Parameters:
  ///   - plan: the rendered plan.
  ///   - pictures: the decoding results of each track.
  ///   - voices: the mixing results of the plan's voices, in order.
  ///   - pixelsWritten: luma and chroma samples that were written onto the canvas.
  ///   - hasPictures: false for sound alone.
  init(
    _ plan: Plan, pictures: [TrackID: PictureReport], voices: [VoiceReport], pixelsWritten: Int,
    hasPictures: Bool = true
  ) {
    let sounds = Dictionary(
      uniqueKeysWithValues: zip(plan.voices.map(\.id), voices))
    let isCut = plan.cut.count < plan.frameCount
    let inputs = plan.participants.map { participant in
      var input = ParticipantReport(participant, of: plan, pictures, sounds)
      if isCut { input.losses = input.losses.compactMap { $0.located(at: plan.times) } }
      return input
    }
    self.init(
      duration: plan.duration.seconds, frameCount: hasPictures ? plan.cut.count : 0,
      pixelsWritten: pixelsWritten, inputs: inputs, messages: plan.messages,
      call: CallActivity(plan, hasPictures: hasPictures))
    let holes = plan.times.holes(before: plan.frameCount)
    if !holes.isEmpty {
      let reasons = Dictionary(
        plan.removals.map { ($0.interval, $0.reason) }, uniquingKeysWith: { first, _ in first })
      cuts = holes.map {
        Cut(from: $0.start.seconds, to: $0.end.seconds, reason: reasons[$0] ?? "cut")
      }
    }
    messages += soundNotes
  }
}

extension RenderReport {
  /// Combines reports: the first of `reports`, with the others in ``outputs``.
  init(_ reports: [RenderReport]) {
    self = reports[0]
    if reports.count > 1 { outputs = Array(reports.dropFirst()) }
  }

  /// This report, without ``outputs``, and the reports on all other outputs.
  package var allReports: [RenderReport] {
    var own = self
    own.outputs = nil
    return [own] + (outputs ?? [])
  }
}

extension RenderReport {
  /// Creates the report on a failed render. `plan` is nil if planning failed.
  public init(failed error: RenderError, _ plan: Plan?) {
    if let plan {
      self.init(plan, pictures: [:], voices: [], pixelsWritten: 0)
    } else {
      self.init(duration: 0, frameCount: 0, pixelsWritten: 0, inputs: [], messages: [])
    }
    failure = error.sentence
  }
}

extension RenderReport.ParticipantReport {
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
      voices.append(RenderReport.VoiceQuality(voice, report))
      losses += report.losses(of: voice)
    }
  }
}

extension RenderReport.VoiceQuality {
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
