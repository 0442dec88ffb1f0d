import TesseraPlan
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// Finds the active speaker over time.
struct ActiveSpeakerPlanner {
  /// The turns of the active speaker, and the speech of all participants.
  struct Speech {
    /// The turns of the active speaker, ordered by time.
    var turns: [(id: ParticipantID, interval: TimeRange)] = []
    /// The times at which each person speaks.
    var speaking: [ParticipantID: [TimeRange]] = [:]
    /// The times at which each person speaks, including speech that is too faint to be noticed.
    var said: [ParticipantID: [TimeRange]] = [:]
    /// The times at which each person's recordings contain only bleed from other people.
    var bleed: [ParticipantID: [TimeRange]] = [:]
  }

  let people: [PlannedParticipant]
  let duration: MediaTime
  let analyses: VoiceAnalyses

  /// Returns the speech according to `source`.
  func speech(
    _ source: SpeakerSource, events: FrameIndexedEvents
  ) throws(RenderError) -> Speech {
    switch source {
    case .none: return Speech()
    case .events: return said(events)
    case .audio: return try heard()
    case .auto: return events.speakers.isEmpty ? try heard() : said(events)
    }
  }

  /// Returns the speech reported by the recorder's events.
  private func said(_ events: FrameIndexedEvents) -> Speech {
    var speech = Speech()
    let speakers = events.speakers
    for (index, event) in speakers.enumerated() {
      let end = index + 1 < speakers.count ? speakers[index + 1].time : duration
      guard let id = event.id, end > event.time else { continue }
      let interval = TimeRange(start: event.time, end: end)
      speech.turns.append((ParticipantID(rawValue: id), interval))
      speech.speaking[ParticipantID(rawValue: id), default: []].append(interval)
    }
    return speech
  }

  /// Returns the speech detected in the voices.
  func heard() throws(RenderError) -> Speech {
    try analyses.hear(people.flatMap(\.voices).filter(\.isSpeech))
    let tracks = people.enumerated().flatMap { index, person in
      person.voices.filter(\.isSpeech).compactMap { voice in
        analyses[voice.id].map {
          ActiveSpeakerTimeline.VoiceTrack(
            voice: index, analysis: $0, start: voice.source.start, interval: voice.source.interval)
        }
      }
    }
    guard !tracks.isEmpty else { return Speech() }
    let found = ActiveSpeakerTimeline(tracks, voiceCount: people.count, duration: duration)
    var speech = Speech()
    speech.turns = found.turns.map { (people[$0.voice].id, $0.interval) }
    for (index, person) in people.enumerated() {
      if !found.speaking[index].isEmpty { speech.speaking[person.id] = found.speaking[index] }
      (speech.said[person.id], speech.bleed[person.id]) = (found.said[index], found.bleed[index])
    }
    return speech
  }
}
