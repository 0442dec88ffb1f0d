import Foundation
package import TesseraCaptions
import TesseraCodecs
import TesseraTimeline

extension Plan {
  /// Returns the content of a file of turns at `path`. The extension decides the format. `name` is
  /// the recording's name.
  package func turnsText(
    for path: String, name: String, media: Diarization.MediaReference? = nil
  ) -> String {
    let format = DiarizationFormat(ending: URL(fileURLWithPath: path).pathExtension) ?? .vtt
    var record = speakerRecord(name)
    record.media = media
    return format.text(record)
  }

  /// Collects speech, turns and words of the rendered part, at the output's times.
  func speakerRecord(_ name: String) -> Diarization {
    typealias Stretch = Diarization.SpeakerSegment
    let (labels, times) = (self.labels, self.times)
    func label(_ id: ParticipantID) -> String { labels[id] ?? id.rawValue }
    let silent = Dictionary(grouping: mutes, by: \.participant).mapValues {
      KeptRanges(cutting: $0.map(\.interval))
    }
    var record = Diarization(name: name, duration: duration)
    record.turns = speakerTurns
    record.floor = turns.compactMap { turn in
      times.output(turn.interval).map { Stretch(label(turn.participant), $0) }
    }
    record.speech = participants.flatMap { person in
      KeptRanges(keeping: person.speech).intersection(silent[person.id] ?? .whole).kept.compactMap {
        times.output($0).map { Stretch(label(person.id), $0) }
      }
    }.sorted { $0.start < $1.start }
    let hearing = hearing
    record.words = lines.flatMap { line -> [Stretch] in
      guard !line.text.isEmpty, let speaker = line.participant.map(label) ?? line.speaker else {
        return []
      }
      return line.wordsOrWhole.compactMap { word in
        guard line.words.isEmpty || hearing.contains(word, of: line.participant) else { return nil }
        return times.output(TimeRange(start: word.from, end: word.to)).map {
          Stretch(speaker, $0, word.text)
        }
      }
    }
    return record
  }

  /// The participants' names. Repeated names get a number.
  private var labels: [ParticipantID: String] {
    var (labels, counts) = ([ParticipantID: String](), [String: Int]())
    for person in participants {
      let count = (counts[person.name] ?? 0) + 1
      counts[person.name] = count
      labels[person.id] = count == 1 ? person.name : "\(person.name) (\(count))"
    }
    return labels
  }

  /// The turns in the rendered part, with the names at their starts.
  private var speakerTurns: Transcript {
    let rate = output.video.frameRate
    let times = times
    let lines = turns.compactMap { turn -> Transcript.Line? in
      guard let interval = times.output(turn.interval) else { return nil }
      let start = max(turn.interval.start, times.call(interval.start))
      let name = name(of: turn.participant, in: rate.firstFrame(showing: start))
      return Transcript.Line(name, from: interval.start, to: interval.end, name)
    }
    return Transcript(lines)
  }

  /// Returns the participant's name in `frame`: the one on the name plate, otherwise the
  /// participant's first name in the plan.
  package func name(of id: ParticipantID, in frame: Int) -> String {
    let slot = slots.first { $0.participant == id && $0.kind == .camera }
    let name = slot?.decorations[frame]?.name ?? ""
    return name.isEmpty ? participants.first { $0.id == id }?.name ?? id.rawValue : name
  }
}
