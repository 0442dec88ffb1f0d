import Foundation
import TesseraCaptions
import TesseraLayout
import TesseraMedia
import TesseraTimeline

extension Plan {
  /// The turns of the rendered part as WebVTT, a cue a turn; times count from the beginning
  /// of that part, and names are those that hold then.
  package var speakersWebVTT: String { speakerTurns.webVTT }

  /// The turns as a file at `path` has them, whose ending says in which format.
  package func turnsText(for path: String) -> String {
    let url = URL(fileURLWithPath: path)
    return (TurnsFormat(ending: url.pathExtension) ?? .vtt).text(
      speakerTurns, name: url.deletingPathExtension().lastPathComponent, end: duration)
  }

  /// The turns in the rendered part, likewise.
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

  /// What the participant is called in `frame`.
  package func name(of id: ParticipantID, in frame: Int) -> String {
    let slot = slots.first { $0.participant == id && $0.kind == .camera }
    let name = slot?.decorations[frame]?.name ?? ""
    return name.isEmpty ? participants.first { $0.id == id }?.name ?? id.rawValue : name
  }
}
