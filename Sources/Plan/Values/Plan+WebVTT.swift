import TesseraLayout
import TesseraMedia
import TesseraSoundtrack
import TesseraTimeline

extension Plan {
  /// Who has the floor in the rendered part as WebVTT, a cue a turn; times count from the beginning
  /// of that part, and names are those that hold then.
  package var speakersWebVTT: String {
    let rate = output.video.frameRate
    var (speakers, names) = (ActiveSpeaker([], voiceCount: 0, duration: .zero), [String]())
    for turn in turns {
      let start = max(turn.interval.start, shown.start)
      let end = min(turn.interval.end, shown.end)
      guard start < end else { continue }
      let interval = TimeInterval(start: start - shown.start, end: end - shown.start)
      speakers.turns.append(ActiveSpeaker.Turn(voice: names.count, interval: interval))
      names.append(name(of: turn.participant, in: rate.firstFrame(showing: start)))
    }
    return speakers.webVTT(names: names)
  }

  /// What the participant is called in `frame`.
  package func name(of id: ParticipantID, in frame: Int) -> String {
    let slot = slots.first { $0.participant == id && $0.kind == .camera }
    let name = slot?.decorations[frame]?.name ?? ""
    return name.isEmpty ? participants.first { $0.id == id }?.name ?? id.rawValue : name
  }
}
