import Foundation
import TesseraCodecs
package import TesseraMessages
package import TesseraSoundtrack
import TesseraTimeline

extension Loss {
  /// The loss as a sentence that begins with the name of the recording.
  public var sentence: String { message.commandLine }

  /// The ``sentence``, with options and files as values.
  package var message: UserMessage {
    switch cause {
    case .media(let loss): return "\(file: source): \(loss)"
    case .overlap(let seconds):
      let text = String(format: "%.2f", seconds)
      return "\(file: source): \(text) s of its sound overlap earlier sound and are left out."
    case .unreadable(let error, nil): return error.sentence
    case .unreadable(let error, let missing?):
      return "\(error) \(missing.name)'s \(missing.kind.noun) is missing without it."
    case .unheard(let failure): return failure.sentence(of: source)
    case .unplaced(let unplaced): return "\(file: source): \(unplaced.sentence)"
    case .unevidenced(let preference):
      return
        "no file has the evidence that \(option: "align") \(preference) needs, so all are placed as with "
        + "\(option: "align") auto; "
        + "give \(option: "offset") NAME=SECONDS, or \(option: "align") sound."
    case .offCanvas:
      let times = intervals.map {
        "from \($0.start.clockWithTenths) to \($0.end.clockWithTenths)"
      }
      return "\(file: source): the layout has no place for it on the canvas, so it is not seen "
        + "\(times.listed(most: 4)); make room for its tile."
    case .crash(let manner):
      let times = intervals.map {
        " from \($0.start.clockWithTenths) to \($0.end.clockWithTenths)"
      }
      return "\(file: source): decoding it crashed workers (\(manner)), so it is missing"
        + "\(times.listed(most: 4)); \(option: "retry-losses") tries it again."
    }
  }

  /// A short, stable name of the cause, for programs.
  public var code: String {
    switch cause {
    case .media(let loss): loss.code
    case .overlap: "overlap"
    case .unreadable, .unheard: "opening"
    case .unplaced, .unevidenced: "unplaced"
    case .offCanvas: "off-canvas"
    case .crash: "crash"
    }
  }
}

extension Loss.UnalignedParticipant {
  fileprivate var sentence: UserMessage {
    let remedy: UserMessage =
      "give \(option: "offset") \(name.shellQuoted)=SECONDS, or another \(option: "align") than sound."
    let place =
      switch manner {
      case .clock: "is placed by the wall clocks"
      case .start: "starts with the first recording"
      case .near: "is placed as if heard without delay, which is off by the delay of the call"
      }
    guard let other else {
      return "cannot place \(name) by sound, as it has none (confidence 0); it \(place); "
        + remedy
    }
    guard manner != .near else {
      return "cannot place \(name) exactly by sound: \(name) and \(other) do not both hear each "
        + "other, or other recordings contradict them; it \(place); \(remedy)"
    }
    let confidence = passages == 0 ? 0 : Double(agreeing) / Double(passages)
    if passages == 0, let lack {
      let reason =
        switch lack {
        case .short: "the recordings are too short to compare (30 s are needed)"
        case .quiet: "they have too little speech, or it is too soft, to compare"
        }
      return "cannot place \(name) by sound: \(reason); it \(place); \(remedy)"
    }
    return "cannot place \(name) by sound: of \(passages) passages compared with \(other)'s "
      + "recording \(agreeing) agree (confidence \(SoundAligner.text(confidence, 2)); "
      + "\(SoundAligner.text(SoundAligner.leastConfidence, 2)) and \(SoundAligner.leastAgreeing) passages "
      + "are needed); it \(place); \(remedy)"
  }
}

extension String {
  /// The text as one word of a shell command, in quotes if it has characters other than letters,
  /// digits and `._-/`.
  package var shellQuoted: String {
    let isPlain = allSatisfy { $0.isLetter || $0.isNumber || "._-/".contains($0) }
    guard !isPlain || isEmpty else { return self }
    return "\"" + flatMap { "\"\\$`".contains($0) ? ["\\", $0] : [$0] } + "\""
  }
}

extension Loss.RecordingKind {
  /// The noun for such a recording in sentences, as in "Ada's camera".
  package var noun: String {
    switch self {
    case .camera: "camera"
    case .screen: "shared screen"
    case .microphone: "microphone"
    case .screenAudio: "shared screen's sound"
    case .still: "picture"
    case .media: "recording"
    }
  }
}

extension VoiceReport.Failure {
  /// Returns a sentence with the reason why the sound of `source` cannot be mixed.
  package func sentence(of source: String) -> UserMessage {
    switch self {
    case .unreadable(let error): error.sentence
    case .sampleRate(let rate):
      "\(file: source): its sound has \(rate) samples per second, which cannot be mixed; convert it."
    }
  }
}

extension VoiceReport {
  /// Number of samples (0.1 s) above which dropped samples are a loss. Fewer are timestamp jitter.
  private static let unheardSamples = 4_800

  /// Returns the losses that mixing found in `voice`.
  package func losses(of voice: Plan.Voice) -> [Loss] {
    var causes: [Loss.Cause] = failure.map { [.unheard($0)] } ?? []
    causes += losses.map { .media($0) }
    if droppedSamples > Self.unheardSamples {
      causes.append(.overlap(Double(droppedSamples) / 48_000))
    }
    let start = ExactTime(voice.source.start)
    return causes.map { cause in
      let intervals =
        if case .media(let loss) = cause {
          loss.intervals(from: start, rate: voice.source.rate)
        } else { [TimeRange]() }
      return Loss(
        cause, track: voice.id, of: voice.participant, source: voice.source.path,
        intervals: intervals)
    }
  }

  /// The share of concealed samples above which a voice gets a note: 2 %.
  private static let notedPart = 0.02

  /// Returns a sentence about the concealed sound of `person`; nil if it is 2 % or less.
  package func note(on person: String) -> UserMessage? {
    let (heard, concealed) = (Double(decodedSamples + recoveredSamples), Double(concealedSamples))
    let part = concealed / max(1, heard + concealed)
    guard part > Self.notedPart else { return nil }
    let percent = String(format: "%.1f", 100 * part)
    let seconds = { (samples: Int) in String(format: "%.1f s", Double(samples) / 48_000) }
    // Repeated packets show that packets were lost. A hole in the timestamps alone does not.
    guard recoveredSamples > 0 else {
      return
        "\(person): no sound for \(seconds(concealedSamples)) (\(percent) %) in short holes (muted, silent or "
        + "lost), which are concealed."
    }
    return "\(person): packets of the sound were lost in the call; \(seconds(concealedSamples)) "
      + "(\(percent) %) are concealed, \(seconds(recoveredSamples)) were sent twice and are whole."
  }

  /// Adds up two reports. Of the drifts, the larger one is kept.
  package static func + (a: VoiceReport, b: VoiceReport) -> VoiceReport {
    var sum = a
    sum.decodedSamples += b.decodedSamples
    sum.mixedSamples += b.mixedSamples
    sum.droppedSamples += b.droppedSamples
    sum.concealedSamples += b.concealedSamples
    sum.recoveredSamples += b.recoveredSamples
    sum.silentSamples += b.silentSamples
    sum.stretchedSamples += b.stretchedSamples
    if abs(b.driftPartsPerMillion) > abs(a.driftPartsPerMillion) {
      sum.driftPartsPerMillion = b.driftPartsPerMillion
    }
    sum.breakCount += b.breakCount
    sum.repairedSamples += b.repairedSamples
    sum.losses = a.losses.merged(with: b.losses)
    sum.failure = a.failure ?? b.failure
    return sum
  }
}
