import Foundation
import TesseraCaptions
import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Places the lines of transcripts on the call's timeline and determines their speakers.
struct TranscriptPlacer {
  let call: CallRequest
  let rendition: Rendition
  /// The call with the participants that are rendered.
  let input: ImportedCall
  /// The recording after placement.
  let recording: Recording
  let names: ParticipantNameResolver
  /// All participants with all of their voices, including those that are not heard in the
  /// rendition.
  let people: [PlannedParticipant]
  /// The transcripts from the speech recognizer, in times of the call.
  var recognized: [TranscriptInput] = []

  /// The spoken lines of the call, with their speakers and times.
  struct TranscriptLines {
    /// All lines ordered by time, including those that must not be shown.
    var lines: [Plan.TranscriptLine]
    /// For each line, true if it may be shown.
    var isWanted: [Bool]
    /// Notes about the lines, one sentence each.
    var notes: [UserMessage]
    /// The display names of the participants.
    var names: [ParticipantID: String]

    /// Returns the lines for which `isMeant` is true (by index) as an editable transcript.
    func editable(_ isMeant: (Int) -> Bool) -> Transcript {
      Plan.editable(lines.indices.filter(isMeant).map { lines[$0] }) { names[$0] }
    }
  }

  /// Returns the lines ordered by time, with notes.
  ///
  /// - Throws: ``RenderError`` if a name matches no participant or several, or if captions are
  ///   requested and there is no transcript.
  func said() throws(RenderError) -> TranscriptLines {
    var (lines, notes) = ([(line: Plan.TranscriptLine, isWanted: Bool)](), [UserMessage]())
    let (silenced, speakers) = (silenced, speakers)
    for transcript in files(&notes) + recognized {
      let said = try self.lines(of: transcript)
      let marked = said.map { (line: $0, isWanted: isWanted($0, speakers, silenced)) }
      let hidden = marked.count { !$0.isWanted }
      if hidden > 0 {
        notes.append(
          "\(hidden) lines of \(file: transcript.name) are left out: they are, or may be, "
            + "of participants who are not rendered or not heard.")
      }
      let count = transcript.transcript.lines.count
      if said.isEmpty, count > 0 {
        notes.append(
          "no line of \(file: transcript.name) is within the call; check from where its times count."
        )
      } else if said.count < count {
        notes.append(
          "\(count - said.count) of \(count) lines of \(file: transcript.name) are outside of the recorded sound, "
            + "and are left out; check from where its times count.")
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
        "the call has no transcript to show as captions; give a file with "
          + "\(option: "transcript").")
    }
    if lines.isEmpty, notes.isEmpty, isAskedFor {
      notes.append(
        "the call has no transcript; give a file with \(option: "transcript")."
      )
    }
    return TranscriptLines(
      lines: lines.map(\.line), isWanted: lines.map(\.isWanted), notes: notes,
      names: Dictionary(
        recording.participants.map { (ParticipantID(rawValue: $0.id), $0.name) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// Returns the participants with a transcript: their own, or one that names them as speakers.
  func peopleWithWords() throws(RenderError) -> Set<TesseraRecordings.Participant.ID> {
    var (people, notes) = (Set<TesseraRecordings.Participant.ID>(), [UserMessage]())
    for transcript in files(&notes) {
      if let name = transcript.person {
        people.insert(try owner(name).id)
      } else {
        people.formUnion(matches(transcript).values.map(\.id))
      }
    }
    return people
  }

  private func files(_ notes: inout [UserMessage]) -> [TranscriptInput] {
    // With a transcriber, its result replaces the transcripts of the recorder.
    if call.transcripts.isEmpty { return call.transcriber == nil ? own(&notes) : [] }
    return call.transcripts
  }

  private var isShown: Bool {
    rendition.overlays.drawsTranscript || rendition.overlays.words != nil
      || rendition.captionTracks.contains(where: \.isTranscript)
  }

  private var isAskedFor: Bool { call.wantsTranscript || isShown }

  /// Reads the transcripts stored beside the recording. Unreadable files become notes.
  private func own(_ notes: inout [UserMessage]) -> [TranscriptInput] {
    recording.transcripts.compactMap { source in
      let path = input.path(of: source.file)
      do {
        let bytes = try RegularFile.bytes(path, atMost: CaptionFileReader.maximumSize + 1)
        let file = try TranscriptFileReader(bytes, name: path)
        notes += file.notes
        return TranscriptInput(
          file.transcript, name: path, person: source.participant, start: source.start)
      } catch let error as SystemError {
        notes.append("the transcript \(file: path) is left out: \(error.reason).")
      } catch {
        notes.append("a transcript is left out: \(error)")
      }
      return nil
    }
  }

  private func lines(of input: TranscriptInput) throws(RenderError) -> [Plan.TranscriptLine] {
    let owner = try input.person.map { name throws(RenderError) in try self.owner(name) }
    let id = owner?.id
    var clock: SampleTimeMapping?
    if let owner, input.start == nil { clock = try ownClock(owner) }
    let start = input.start ?? .zero
    let known = id == nil ? matches(input) : [:]
    return input.transcript.lines.compactMap { line in
      let interval =
        clock.map { $0.interval(line.from, line.to) } ?? called(line.from + start, line.to + start)
      guard let interval, interval.duration > .zero else { return nil }
      let speaker = id ?? line.speaker.flatMap { known[$0]?.id }
      var said = Plan.TranscriptLine(
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

  /// Returns the interval of the call, clamped to start at zero, or `nil` if it ends before zero.
  private func called(
    _ from: MediaTime, _ to: MediaTime
  ) -> TimeRange? {
    guard to > .zero else { return nil }
    return TimeRange(start: max(.zero, from), end: to)
  }

  /// The owner of a transcript, and the file that its times refer to.
  private struct Owner {
    var id: TesseraRecordings.Participant.ID
    var name: String
    /// The number, from 1, of the participant's file; `nil` if the times are not relative to a
    /// numbered file.
    var part: Int?
  }

  /// Returns the participant or file that `name` refers to, including `ada/2` for a participant's
  /// second file.
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

  /// Returns the clock of the owner's sound: of the named file, or else of all of the participant's
  /// files that follow one another.
  private func ownClock(_ owner: Owner) throws(RenderError) -> SampleTimeMapping? {
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
      return SampleTimeMapping(files[part - 1])
    }
    let named = files.first { file in
      let url = URL(fileURLWithPath: file[0].path)
      return [file[0].path, url.lastPathComponent, url.deletingPathExtension().lastPathComponent]
        .contains(owner.name)
    }
    let isPerson = [person.participant.id, person.participant.name].contains(owner.name)
    if let named, !isPerson { return SampleTimeMapping(named) }
    // A file that overlaps the previous one is another microphone and is skipped.
    return SampleTimeMapping(
      files.reduce(into: []) { row, file in
        guard let last = row.last, file[0].interval.start + Self.overlap < last.interval.end else {
          row += file
          return
        }
      })
  }

  /// The maximum overlap of consecutive parts of one recording.
  private static let overlap = MediaTime(seconds: 1)

  // MARK: Speakers

  /// Returns `name` in the form used for comparison: lowercase, with single spaces.
  static func folded(_ name: String) -> String {
    name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the participants that match the speakers of `input`.
  private func matches(_ input: TranscriptInput) -> [String: SpeakerNameMatcher.Match] {
    speakers.matches(Set(input.transcript.lines.compactMap(\.speaker)))
  }

  private var speakers: SpeakerNameMatcher { SpeakerNameMatcher(recording, absent: input.absent) }

  /// Returns notes about speakers of `input` that were matched by a part of a name.
  private func guesses(_ input: TranscriptInput) -> [UserMessage] {
    guard input.person == nil else { return [] }
    let file = URL(fileURLWithPath: input.name).lastPathComponent
    return matches(input).filter(\.value.isGuessed).sorted { $0.key < $1.key }.map { name, match in
      let full = recording.participants.first { $0.id == match.id }?.name ?? match.id
      return
        "\(name) in \(file: file) is assigned to \(full), the only participant with a matching name."
    }
  }

  /// Returns true if the line may be shown. Words of participants without a tile or sound must not
  /// be.
  private func isWanted(
    _ line: Plan.TranscriptLine, _ speakers: SpeakerNameMatcher, _ silenced: Set<ParticipantID>
  ) -> Bool {
    if let participant = line.participant { return !silenced.contains(participant) }
    guard rendition.only.isEmpty else { return false }
    return input.absent.isEmpty || line.speaker.map { !speakers.mayBeAbsent($0) } ?? false
  }

  /// The participants that are not heard in the rendition.
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

  /// Returns the names in the form used for comparison.
  static func folded(_ names: [String]) -> Set<String> { Set(names.map { folded($0) }) }
}

/// Maps sample counts to timeline times. A speech recognizer's time of a word is the number of
/// samples before it.
private struct SampleTimeMapping {
  /// The voices in the order in which their samples are counted.
  private let voices: [VoiceSource]

  /// Creates a clock of `voices`, one after the other. Returns `nil` if there are none.
  init?(_ voices: [VoiceSource]) {
    guard !voices.isEmpty else { return nil }
    self.voices = voices
  }

  /// Returns the timeline interval in which a stretch of samples is heard, or `nil` if none of it
  /// is.
  func interval(_ from: MediaTime, _ to: MediaTime) -> TimeRange? {
    let (first, last) = (place(from), place(to))
    let start = max(.zero, first.time, first.voice.interval.start)
    let end = min(last.time, last.voice.interval.end)
    return end > start ? TimeRange(start: start, end: end) : nil
  }

  /// Returns the timeline time at which `time` of the recordings is heard, clamped to the voice's
  /// interval.
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
