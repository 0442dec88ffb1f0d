import Foundation
import TesseraCaptions
import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Lays what files say was said onto the call's timeline, and finds out who says it.
struct TranscriptPlanner {
  let call: CallRequest
  let rendition: Rendition
  /// The call with those who are rendered.
  let input: CallInput
  /// The recording with every track at its place.
  let recording: Recording
  let names: PeopleNames
  /// Everyone, with the voices of those who are heard or not.
  let people: [Person]
  let trim: IdleTrim?

  /// The lines in the order of their times, and what is worth knowing of them.
  ///
  /// - Throws: where a name is nobody's.
  func lines() throws(RenderError) -> (lines: [Plan.Line], notes: [String]) {
    var (lines, notes) = ([Plan.Line](), [String]())
    let silenced = silenced
    for transcript in call.transcripts.isEmpty ? own(&notes) : call.transcripts {
      let said = try self.lines(of: transcript)
      let kept = said.filter { isWanted($0, silenced) }
      if kept.count < said.count {
        notes.append(
          "\(said.count - kept.count) lines of \(transcript.name) are left out: they are, or may be, "
            + "of people who are not rendered or not heard.")
      }
      if kept.isEmpty, !transcript.transcript.lines.isEmpty, said.isEmpty {
        notes.append("no line of \(transcript.name) lies in the call; check when its times begin.")
      }
      lines += kept
    }
    lines = lines.enumerated().sorted {
      ($0.element.interval.start, $0.offset) < ($1.element.interval.start, $1.offset)
    }.map(\.element)
    if lines.isEmpty, notes.isEmpty, isAskedFor {
      notes.append(
        "nobody knows what was said: no transcript lies beside the recording; --transcript names one."
      )
    }
    return (lines, notes)
  }

  private var isAskedFor: Bool {
    call.wantsTranscript || rendition.overlays.drawsTranscript
      || rendition.captionTracks.contains(where: \.isTranscript)
  }

  /// The transcripts that lie beside the recording.
  private func own(_ notes: inout [String]) -> [TranscriptInput] {
    recording.transcripts.compactMap { source in
      let path = input.path(of: source.file)
      do {
        let bytes = try RegularFile.bytes(path, atMost: CaptionFile.maximumSize + 1)
        let file = try TranscriptFile(bytes, name: path)
        notes += file.notes
        return TranscriptInput(
          file.transcript, name: path, person: source.participant, start: source.start)
      } catch let error as SystemError {
        notes.append("the transcript \(path) is left out: \(error.reason).")
      } catch {
        notes.append("a transcript is left out: \(error)")
      }
      return nil
    }
  }

  private func lines(of input: TranscriptInput) throws(RenderError) -> [Plan.Line] {
    let id = try input.person.map { name throws(RenderError) in
      try names.id(of: name, option: "--transcript")
    }
    let clock = input.start == nil ? id.flatMap { ownClock($0, input.person) } : nil
    let start = input.start ?? .zero
    let known = speakers
    return input.transcript.lines.compactMap { line in
      let interval =
        clock.map { $0.interval(line.from, line.to) } ?? called(line.from + start, line.to + start)
      guard let interval, interval.duration > .zero else { return nil }
      let speaker = id ?? line.speaker.flatMap { known[Self.folded($0)] ?? nil }
      return Plan.Line(
        participant: speaker.map { ParticipantID(rawValue: $0) }, speaker: line.speaker,
        interval: interval, text: line.text)
    }
  }

  /// Where times of the call lie once stretches of it are left out; nil where nothing of them does.
  private func called(
    _ from: MediaTime, _ to: MediaTime
  ) -> TimeRange? {
    guard to > .zero else { return nil }
    let interval = TimeRange(start: max(.zero, from), end: to)
    guard let trim else { return interval }
    return trim.interval(interval.start, interval.end)
  }

  /// The clock of the sound that `name` means, which is a file of the participant's or the person:
  /// then it is the first sound.
  private func ownClock(_ id: TesseraRecordings.Participant.ID, _ name: String?) -> VoiceClock? {
    let voices = people.first { $0.participant.id == id }?.voices.filter(\.isSpeech).map(\.source)
      .sorted { $0.start < $1.start }
    let named = voices?.first { voice in
      let url = URL(fileURLWithPath: voice.path)
      return [voice.path, url.lastPathComponent, url.deletingPathExtension().lastPathComponent]
        .contains(name)
    }
    guard let voices, let first = named ?? voices.first else { return nil }
    return VoiceClock(
      voices.filter {
        $0.path == first.path
          && $0.sound.track.stream.index == first.sound.track.stream.index
      })
  }

  // MARK: Speakers

  private static func folded(_ name: String) -> String {
    name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Everyone by all names that they ever have in the call; nil where a name is several people's.
  private var speakers: [String: TesseraRecordings.Participant.ID?] {
    var pairs = recording.participants.flatMap { [($0.name, $0.id), ($0.id, $0.id)] }
    for event in recording.events {
      if case .renamed(let id, let name) = event.change { pairs.append((name, id)) }
    }
    return Dictionary(
      pairs.map { (Self.folded($0), Optional($1)) }, uniquingKeysWith: { $0 == $1 ? $0 : nil })
  }

  /// Whether the line may be read: nobody's words stay whose tile or sound does not.
  private func isWanted(_ line: Plan.Line, _ silenced: Set<ParticipantID>) -> Bool {
    if let participant = line.participant { return !silenced.contains(participant) }
    guard let speaker = line.speaker else { return rendition.only.isEmpty && input.absent.isEmpty }
    return rendition.only.isEmpty && !input.absent.contains(Self.folded(speaker))
  }

  /// Who is not heard on rendition.
  private var silenced: Set<ParticipantID> {
    func ids(_ list: [String]) -> Set<String> {
      Set(list.compactMap { try? names.id(of: $0, option: "") })
    }
    let (only, excluded) = (ids(rendition.onlySound), ids(rendition.excludedSound))
    let all = recording.participants.map(\.id).filter { id in
      excluded.contains(id) || !rendition.onlySound.isEmpty && !only.contains(id)
    }
    return Set(all.map { ParticipantID(rawValue: $0) })
  }

  /// Names as they are compared.
  static func folded(_ names: [String]) -> Set<String> { Set(names.map { folded($0) }) }
}

/// Where the samples of one stream of a file lie on the timeline: what a speech recognizer calls
/// the time of a word is the number of samples before it.
private struct VoiceClock {
  private let voices: [VoiceSource]
  private let interval: TimeRange

  /// The clock of `voices`, which are the stretches of a stream in the order of the file.
  init?(_ voices: [VoiceSource]) {
    guard let first = voices.first else { return nil }
    self.voices = voices
    interval = TimeRange(
      start: max(.zero, voices.map(\.interval.start).min() ?? first.interval.start),
      end: voices.map(\.interval.end).max() ?? first.interval.end)
  }

  /// What is heard of a stretch of the file; nil where nothing of it is.
  func interval(_ from: MediaTime, _ to: MediaTime) -> TimeRange? {
    let (start, end) = (max(interval.start, time(from)), min(interval.end, time(to)))
    return end > start ? TimeRange(start: start, end: end) : nil
  }

  private func time(_ time: MediaTime) -> MediaTime {
    var count = time.seconds * Double(Soundtrack.sampleRate)
    for voice in voices.dropLast() {
      guard count >= voice.sampleCount else { return voice.time(after: count) }
      count -= voice.sampleCount
    }
    return voices[voices.count - 1].time(after: count)
  }
}
