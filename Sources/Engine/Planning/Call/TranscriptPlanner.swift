import Foundation
import TesseraCaptions
import TesseraCodecs
import TesseraJobs
import TesseraPlan
import TesseraRecordings
import TesseraRequest
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
  /// What a recognizer wrote, by times of the call.
  var recognized: [TranscriptInput] = []

  /// What is said, by whom, and when.
  struct Said {
    /// The lines in the order of their times, for all readers.
    var lines: [Plan.Line]
    /// Whether each of them may be read.
    var isWanted: [Bool]
    /// What is worth knowing of them.
    var notes: [String]
    /// What people are called.
    var names: [ParticipantID: String]

    /// The lines that `isMeant` as they are edited.
    func editable(_ isMeant: (Int) -> Bool) -> Transcript {
      Plan.editable(lines.indices.filter(isMeant).map { lines[$0] }) { names[$0] }
    }
  }

  /// The lines in the order of their times, and what is worth knowing of them.
  ///
  /// - Throws: where a name is nobody's.
  func said() throws(RenderError) -> Said {
    var (lines, notes) = ([(line: Plan.Line, isWanted: Bool)](), [String]())
    let (silenced, speakers) = (silenced, speakers)
    for transcript in files(&notes) + recognized {
      let said = try self.lines(of: transcript)
      let marked = said.map { (line: $0, isWanted: isWanted($0, speakers, silenced)) }
      let hidden = marked.count { !$0.isWanted }
      if hidden > 0 {
        notes.append(
          "\(hidden) lines of \(transcript.name) are left out: they are, or may be, "
            + "of people who are not rendered or not heard.")
      }
      let count = transcript.transcript.lines.count
      if said.isEmpty, count > 0 {
        notes.append("no line of \(transcript.name) lies in the call; check when its times begin.")
      } else if said.count < count {
        notes.append(
          "\(count - said.count) of \(count) lines of \(transcript.name) lie outside what is heard, "
            + "and are left out; check when its times begin.")
      }
      notes += guesses(transcript)
      lines += marked
    }
    lines = lines.enumerated().sorted {
      ($0.element.line.interval.start, $0.offset) < ($1.element.line.interval.start, $1.offset)
    }.map(\.element)
    if lines.isEmpty, notes.isEmpty, isShown {
      throw RenderError(
        .usage,
        "there is no transcript to show as captions: none lies beside the recording; name one with "
          + "\(option: "transcript").")
    }
    if lines.isEmpty, notes.isEmpty, isAskedFor {
      notes.append(
        "nobody knows what was said: no transcript lies beside the recording; --transcript names one."
      )
    }
    return Said(
      lines: lines.map(\.line), isWanted: lines.map(\.isWanted), notes: notes,
      names: Dictionary(
        recording.participants.map { (ParticipantID(rawValue: $0.id), $0.name) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// The participants whose words are in files: in one of their own, or in one that names speakers.
  func peopleWithWords() throws(RenderError) -> Set<TesseraRecordings.Participant.ID> {
    var (people, notes) = (Set<TesseraRecordings.Participant.ID>(), [String]())
    for transcript in files(&notes) {
      if let name = transcript.person {
        people.insert(try owner(name).id)
      } else {
        people.formUnion(matches(transcript).values.map(\.id))
      }
    }
    return people
  }

  private func files(_ notes: inout [String]) -> [TranscriptInput] {
    // A recognizer of one's own is meant to replace what a recorder's has written.
    if call.transcripts.isEmpty { return call.transcriber == nil ? own(&notes) : [] }
    return call.transcripts
  }

  private var isShown: Bool {
    rendition.overlays.drawsTranscript || rendition.overlays.words != nil
      || rendition.captionTracks.contains(where: \.isTranscript)
  }

  private var isAskedFor: Bool { call.wantsTranscript || isShown }

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
    let owner = try input.person.map { name throws(RenderError) in try self.owner(name) }
    let id = owner?.id
    var clock: VoiceClock?
    if let owner, input.start == nil { clock = try ownClock(owner) }
    let start = input.start ?? .zero
    let known = id == nil ? matches(input) : [:]
    return input.transcript.lines.compactMap { line in
      let interval =
        clock.map { $0.interval(line.from, line.to) } ?? called(line.from + start, line.to + start)
      guard let interval, interval.duration > .zero else { return nil }
      let speaker = id ?? line.speaker.flatMap { known[$0]?.id }
      var said = Plan.Line(
        participant: speaker.map { ParticipantID(rawValue: $0) }, speaker: line.speaker,
        interval: interval, text: line.text)
      let place = { (time: MediaTime) in clock?.time(time) ?? time + start }
      var last = interval.start
      said.words = line.words.map { word in
        var word = word
        word.from = min(max(place(word.from), last), interval.end)
        word.to = min(max(place(word.to), word.from), interval.end)
        last = word.from
        return word
      }
      return said
    }
  }

  /// Where times of the call lie; nil where that is before its beginning.
  private func called(
    _ from: MediaTime, _ to: MediaTime
  ) -> TimeRange? {
    guard to > .zero else { return nil }
    return TimeRange(start: max(.zero, from), end: to)
  }

  /// Whose words they are, and which of the person's files they are counted in.
  private struct Owner {
    var id: TesseraRecordings.Participant.ID
    var name: String
    /// The number of the file, from 1.
    var part: Int?
  }

  /// The person or file that `name` means, or one of the person's files: `ada/2`.
  private func owner(_ name: String) throws(RenderError) -> Owner {
    do throws(RenderError) {
      return Owner(id: try names.id(of: name, by: "\(option: "transcript")"), name: name)
    } catch {
      guard let slash = name.lastIndex(of: "/"), let part = Int(name[slash...].dropFirst()),
        let id = try? names.id(of: String(name[..<slash]), by: "\(option: "transcript")")
      else { throw error }
      return Owner(id: id, name: name, part: part)
    }
  }

  /// The clock of the sound that is meant: of one file, or of all of the person's files that are
  /// one after the other.
  private func ownClock(_ owner: Owner) throws(RenderError) -> VoiceClock? {
    guard let person = people.first(where: { $0.participant.id == owner.id }) else { return nil }
    var files: [[VoiceSource]] = []
    let voices = person.voices.filter(\.isSpeech).map(\.source)
    for voice in voices.sorted(by: { $0.start < $1.start }) {
      let known = files.firstIndex {
        $0[0].path == voice.path
          && $0[0].sound.track.stream.index == voice.sound.track.stream.index
      }
      if let known { files[known].append(voice) } else { files.append([voice]) }
    }
    if let part = owner.part {
      guard files.indices.contains(part - 1) else {
        throw RenderError(
          .usage,
          "\(option: "transcript") \(owner.name): \(person.participant.name) has \(files.count) files with "
            + "sound; give a number from 1 to \(files.count).")
      }
      return VoiceClock(files[part - 1])
    }
    let named = files.first { file in
      let url = URL(fileURLWithPath: file[0].path)
      return [file[0].path, url.lastPathComponent, url.deletingPathExtension().lastPathComponent]
        .contains(owner.name)
    }
    let isPerson = [person.participant.id, person.participant.name].contains(owner.name)
    if let named, !isPerson { return VoiceClock(named) }
    // What is heard at the same time is another microphone.
    return VoiceClock(
      files.reduce(into: []) { row, file in
        guard let last = row.last, file[0].interval.start + Self.overlap < last.interval.end else {
          row += file
          return
        }
      })
  }

  /// Parts of one recording overlap by no more.
  private static let overlap = MediaTime(seconds: 1)

  // MARK: Speakers

  /// `name` as names are compared: in lowercase, with single blanks.
  static func folded(_ name: String) -> String {
    name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The participants that the speakers of `input` are.
  private func matches(_ input: TranscriptInput) -> [String: SpeakerNames.Match] {
    speakers.matches(Set(input.transcript.lines.compactMap(\.speaker)))
  }

  private var speakers: SpeakerNames { SpeakerNames(recording, absent: input.absent) }

  /// Notes on the speakers of `input` who are known by a part of their names.
  private func guesses(_ input: TranscriptInput) -> [String] {
    guard input.person == nil else { return [] }
    let file = URL(fileURLWithPath: input.name).lastPathComponent
    return matches(input).filter(\.value.isGuessed).sorted { $0.key < $1.key }.map { name, match in
      let full = recording.participants.first { $0.id == match.id }?.name ?? match.id
      return "\(name) in \(file) is taken for \(full), the only participant whose name fits."
    }
  }

  /// Whether the line may be read: nobody's words stay whose tile or sound does not.
  private func isWanted(
    _ line: Plan.Line, _ speakers: SpeakerNames, _ silenced: Set<ParticipantID>
  ) -> Bool {
    if let participant = line.participant { return !silenced.contains(participant) }
    guard rendition.only.isEmpty else { return false }
    return input.absent.isEmpty || line.speaker.map { !speakers.mayBeAbsent($0) } ?? false
  }

  /// Those who are not heard in the rendition.
  private var silenced: Set<ParticipantID> {
    func ids(_ list: [String]) -> Set<String> {
      Set(list.compactMap { try? names.id(of: $0, by: "") })
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

/// Where samples lie on the timeline: what a speech recognizer calls the time of a word is the
/// number of samples before it.
private struct VoiceClock {
  /// In the order in which the samples are counted.
  private let voices: [VoiceSource]

  /// The clock of `voices`, one after the other.
  init?(_ voices: [VoiceSource]) {
    guard !voices.isEmpty else { return nil }
    self.voices = voices
  }

  /// What is heard of a stretch of them; nil where nothing of it is.
  func interval(_ from: MediaTime, _ to: MediaTime) -> TimeRange? {
    let (first, last) = (place(from), place(to))
    let start = max(.zero, first.time, first.voice.interval.start)
    let end = min(last.time, last.voice.interval.end)
    return end > start ? TimeRange(start: start, end: end) : nil
  }

  /// The time of the call at which `time` of the recordings is heard, or the nearest one.
  func time(_ time: MediaTime) -> MediaTime {
    let (voice, time) = place(time)
    return min(max(time, voice.interval.start), voice.interval.end)
  }

  private func place(_ time: MediaTime) -> (voice: VoiceSource, time: MediaTime) {
    var count = time.seconds * Double(Soundtrack.sampleRate)
    for voice in voices.dropLast() {
      guard count >= voice.sampleCount else { return (voice, voice.time(after: count)) }
      count -= voice.sampleCount
    }
    let voice = voices[voices.count - 1]
    return (voice, voice.time(after: count))
  }
}
