import Foundation
import TesseraMessages
import TesseraPixels
import TesseraPlan
import TesseraRendering
import TesseraRequest
import TesseraTimeline

/// The data of a page, as its script reads them from JSON.
///
/// Times are whole milliseconds. Participants are indices in ``people``. Long lists are
/// delta-encoded to be short: the spans of a participant are the differences between consecutive
/// starts and ends.
struct PageData: Encodable {
  struct Media: Encodable {
    var src: String
    var kind: String
  }

  struct Person: Encodable {
    /// The identifier of the participant in edits.
    var id: String
    var name: String
    var present, camera, microphone, speaking, screen, lost, faults: [Int]
    /// True for shared screens without a participant; otherwise `nil`.
    var isScreenOnly: Bool?
  }

  struct Note: Encodable {
    var text: String
    var time: Int?
    var person: Int?
  }

  struct File: Encodable {
    var name, href, facts: String
  }

  struct Thumbnails: Encodable {
    var src: String
    /// The time between two thumbnails.
    var step: Int
    var count, columns, width, height: Int
  }

  struct Captions: Encodable {
    var language, label: String
    var cues: [TranscriptLine]
  }

  /// Numbers followed by a text. Encodes as a JSON array.
  struct TranscriptLine: Encodable {
    var numbers: [Int]
    var text: String

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for number in numbers { try container.encode(number) }
      try container.encode(text)
    }
  }

  let version = 1
  var title: String
  var duration: Int
  /// The duration of a frame in milliseconds.
  var frame: Double
  var media: Media
  var thumbs: Thumbnails?
  var files: [File] = []
  var people: [Person]
  /// Speakers in the transcript who are not in ``people``. Their indices follow those of
  /// ``people``.
  var speakers: [String]
  /// For each turn: participant, time since the previous turn's end, and length.
  var turns: [Int]
  /// For each line: participant (-1 if unknown), time since the previous line's start, length, and
  /// text.
  var lines: [TranscriptLine]
  /// Ranges of at least 2 s in which nobody speaks, as starts and ends.
  var silence: [Int]
  /// The start and the title of each chapter.
  var chapters: [TranscriptLine]
  var notes: [Note]
  /// For each part of the call that the output leaves out: start and end in times of the call, and
  /// the reason; `nil` on a page for viewers, where nothing can be struck.
  var cuts: [TranscriptLine]?
  /// Ranges in which the output deviates from the composed call; `nil` if it was not verified.
  var faults: [Int]?
  var tracks: [Captions]
}

extension PageData {
  init(
    _ report: RenderReport, _ call: CallActivity, _ media: CallPage.Media,
    _ pictures: CallPage.PreviewThumbnails?, _ others: [CallPage.OtherOutput],
    for audience: PageAudience
  ) {
    var call = call
    call.people = Self.ordered(call.people)
    let numbers = Dictionary(
      call.people.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let names = Dictionary(
      call.people.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    title =
      call.title ?? URL(fileURLWithPath: report.output).deletingPathExtension().lastPathComponent
    duration = Self.milliseconds(report.duration)
    frame = 1000 / max(0.001, call.frameRate ?? 30)
    self.media = Media(src: media.address, kind: media.hasPictures ? "video" : "audio")
    thumbs = pictures.map { pictures in
      let (all, grid) = (pictures.thumbnails, pictures.thumbnails.grid)
      return Thumbnails(
        src: pictures.address, step: Self.milliseconds(all.interval.seconds), count: all.count,
        columns: grid.columns, width: grid.cell.width, height: grid.cell.height)
    }
    files = others.map { File(name: $0.name, href: $0.address, facts: $0.facts) }
    people = Self.people(call, report)
    var last = 0
    turns = call.turns.flatMap { turn -> [Int] in
      guard let number = numbers[turn.participant] else { return [] }
      let span = Self.flat([turn.span])
      defer { last = span[1] }
      return [number, span[0] - last, span[1] - span[0]]
    }
    (lines, speakers) = Self.lines(call, numbers)
    silence = Self.silence(call, duration)
    chapters = call.chapters.map {
      TranscriptLine(numbers: [Self.milliseconds($0.start)], text: $0.title)
    }
    if audience == .editors {
      cuts = (report.cuts ?? []).map {
        TranscriptLine(
          numbers: [Self.milliseconds($0.from), Self.milliseconds($0.to)], text: $0.reason)
      }
    }
    faults = report.deviations.map { _ in Self.distances(Self.faults(report)) }
    notes = Self.notes(report, numbers, names)
    tracks = call.captions.map { track in
      Captions(
        language: track.language ?? "und", label: track.title ?? track.language ?? "Captions",
        cues: track.cues.map { TranscriptLine(numbers: Self.flat([$0.span]), text: $0.text) })
    }
  }

  /// Returns the participants in the order of the page: the first to speak first, screens last.
  private static func ordered(_ people: [CallActivity.Person]) -> [CallActivity.Person] {
    people.enumerated().sorted { one, other in
      let (first, second) = (
        one.element.speaking.first?.start ?? .infinity,
        other.element.speaking.first?.start ?? .infinity
      )
      let (own, its) = (one.element.isScreenOnly ? 1 : 0, other.element.isScreenOnly ? 1 : 0)
      return (own, first, one.offset) < (its, second, other.offset)
    }.map(\.element)
  }

  private static func people(_ call: CallActivity, _ report: RenderReport) -> [Person] {
    let losses = Dictionary(grouping: report.allLosses, by: \.participant)
    return call.people.map { person in
      Person(
        id: person.id.rawValue, name: person.name,
        present: distances(flat(person.present)),
        camera: distances(flat(person.camera)),
        microphone: distances(flat(person.microphone)),
        speaking: distances(flat(person.speaking)),
        screen: distances(flat(person.screen)),
        lost: distances(
          merged(
            (losses[person.id] ?? []).flatMap { $0.shown ?? $0.intervals }.map {
              CallActivity.Span($0.start.seconds, $0.end.seconds)
            })),
        faults: distances(faults(report, of: person.name)),
        isScreenOnly: person.isScreenOnly ? true : nil)
    }
  }

  /// Returns the sentences about losses, deviations from what was composed, and other notes, in
  /// this order.
  private static func notes(
    _ report: RenderReport, _ numbers: [ParticipantID: Int], _ names: [String: Int]
  ) -> [Note] {
    let sentences = PageNotes(report)
    var notes = report.allLosses.map { loss in
      Note(
        text: sentences.sentence(loss),
        time: (loss.shown ?? loss.intervals).first.map { milliseconds($0.start.seconds) },
        person: numbers[loss.participant])
    }
    notes += (report.deviations ?? []).map { deviation in
      Note(
        text: "not as composed: \(deviation.text.commandLine)",
        time: deviation.from.map(milliseconds),
        person: names[deviation.person ?? ""])
    }
    notes += report.messages.compactMap(sentences.sentence).map { Note(text: $0) }
    return notes
  }

  /// Returns the ranges in which the output deviates from the composed call, as starts and ends:
  /// all of them, or those that concern `person`.
  private static func faults(_ report: RenderReport, of person: String? = nil) -> [Int] {
    let deviations = (report.deviations ?? []).filter { person == nil || $0.person == person }
    return merged(
      deviations.compactMap { deviation in
        deviation.from.map { CallActivity.Span($0, deviation.to ?? $0 + shortestFault) }
      })
  }

  /// The displayed length of a momentary deviation, in seconds, so that it remains visible.
  private static let shortestFault = 0.1

  /// Returns the transcript, or the first captions if there is none, and the speakers who are not
  /// participants.
  ///
  /// A line without a speaker is attributed to the participant whose turn includes the line's
  /// middle.
  private static func lines(
    _ call: CallActivity, _ numbers: [ParticipantID: Int]
  ) -> (lines: [TranscriptLine], speakers: [String]) {
    var (last, speakers) = (0, [String: Int]())
    func line(_ span: CallActivity.Span, _ person: Int?, _ text: String) -> TranscriptLine {
      let (start, end) = (milliseconds(span.start), milliseconds(span.end))
      defer { last = start }
      let person =
        person ?? call.turn(at: (span.start + span.end) / 2).flatMap { numbers[$0] } ?? -1
      return TranscriptLine(numbers: [person, start - last, end - start], text: text)
    }
    var lines = call.lines.map { said in
      var person = said.participant.flatMap { numbers[$0] }
      if person == nil, let speaker = said.speaker {
        person = speakers[speaker] ?? call.people.count + speakers.count
        speakers[speaker] = person
      }
      return line(said.span, person, said.text)
    }
    if lines.isEmpty {
      lines = (call.captions.first?.cues ?? []).map { cue in
        line(cue.span, nil, cue.text.replacing("\n", with: " "))
      }
    }
    return (lines, speakers.sorted { $0.value < $1.value }.map(\.key))
  }

  private static let shortestSilence = 2000

  private static func silence(_ call: CallActivity, _ duration: Int) -> [Int] {
    let spoken = merged(call.people.flatMap(\.speaking))
    guard !spoken.isEmpty else { return [] }
    let edges: [Int] = [0] + spoken + [duration]
    var silence: [Int] = []
    for index in stride(from: 0, to: edges.count, by: 2)
    where edges[index + 1] - edges[index] >= shortestSilence {
      silence += [edges[index], edges[index + 1]]
    }
    return silence
  }

  /// Returns `seconds` in whole milliseconds, clamped to the integers that JavaScript represents
  /// exactly.
  private static func milliseconds(_ seconds: Double) -> Int {
    let most = Double(1 << 53)
    return Int(saturating: min(max((1000 * seconds).rounded(), -most), most))
  }

  private static func flat(_ spans: [CallActivity.Span]) -> [Int] {
    spans.flatMap { [milliseconds($0.start), milliseconds($0.end)] }
  }

  /// Returns the differences between consecutive numbers, starting from 0.
  private static func distances(_ numbers: [Int]) -> [Int] {
    zip(numbers, [0] + numbers).map { $0 - $1 }
  }

  /// Returns the starts and ends of `spans` in order, with touching and overlapping spans joined.
  private static func merged(_ spans: [CallActivity.Span]) -> [Int] {
    var result: [Int] = []
    for span in spans.sorted(by: { $0.start < $1.start }) {
      let (start, end) = (milliseconds(span.start), milliseconds(span.end))
      if let last = result.last, start <= last {
        result[result.count - 1] = max(last, end)
      } else {
        result += [start, end]
      }
    }
    return result
  }
}

extension CallActivity {
  /// Returns the active speaker at `time`, in seconds; `nil` if nobody speaks.
  fileprivate func turn(at time: Double) -> ParticipantID? {
    turns.last { $0.span.start <= time && time < $0.span.end }?.participant
  }
}

extension CallActivity.Person {
  /// True if the participant has only shared screens, such as slides recorded into a separate file.
  fileprivate var isScreenOnly: Bool {
    !screen.isEmpty && present.isEmpty && camera.isEmpty && microphone.isEmpty && speaking.isEmpty
  }
}
