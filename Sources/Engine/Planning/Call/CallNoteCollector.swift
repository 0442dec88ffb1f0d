import TesseraCodecs
import TesseraMessages
import TesseraPlan
import TesseraRecordings
import TesseraSoundtrack
import TesseraTimeline

/// Collects notes about a call's files, one sentence each.
struct CallNoteCollector {
  let input: ImportedCall
  /// The placed recording.
  let recording: Recording
  let probes: [String: InputProbe]

  /// Returns the notes for a render of `people` that covers the interval `shown`.
  func sentences(_ people: [PlannedParticipant], shown: TimeRange) -> [UserMessage] {
    let used = Self.usedStreams(people)
    var notes: [UserMessage] = []
    var seen: Set<String> = []
    for track in recording.tracks {
      let path = input.path(of: track.file)
      guard let probe = probes[path] else { continue }
      let notesOfFile = ProbeNoteCollector(probe: probe)
      let start = track.start - (track.inPoint ?? .zero)
      if let note = notesOfFile.emptiness(shown: shown, start: start), !notes.contains(note) {
        notes.append(note)
      }
      guard seen.insert(path).inserted else {
        if input.isPlainList, track.stream == nil, track.inPoint == nil, track.channel == nil {
          notes.append("\(file: path) is given more than once, and has a tile each time.")
        }
        continue
      }
      for case .openEnded(let count) in probe.file?.notes ?? [] {
        notes.append("\(file: path): \(MediaNote.openEnded(unnamed: count))")
      }
      notes += notesOfFile.unused(used[path] ?? [])
      if track.kind.isSoundOnly, let note = notesOfFile.unseen(used[path] ?? []) {
        notes.append(note)
      }
    }
    notes += Self.channels(people)
    notes += recording.rejoins(input.facts(probes, of: recording))
    notes += people.flatMap(\.voices).compactMap(Self.refusedDrift)
    return notes
  }

  /// Returns notes about channels: files whose channels may be separate microphones, and tracks
  /// whose channel does not exist.
  private static func channels(_ people: [PlannedParticipant]) -> [UserMessage] {
    let all = people.flatMap(\.voices)
    let voices = all.filter { $0.source.sound.channel == nil }
    var seen: Set<String> = []
    let absent = all.compactMap { voice -> UserMessage? in
      guard let channel = voice.source.sound.channel,
        let count = voice.source.sound.track.stream.audio?.channels, channel >= count
      else { return nil }
      return
        "\(file: voice.source.path) has \(count.counted("channel")), so its channel "
        + "\(channel + 1) is silent: correct \"channel\" of its track."
    }
    var notes =
      absent
      + voices.compactMap { voice -> UserMessage? in
        guard let audio = voice.source.sound.track.stream.audio, audio.isUnmixed,
          seen.insert(voice.source.path).inserted
        else { return nil }
        return
          "\(file: voice.source.path): its \(audio.channels) channels have no layout, so each is heard in the "
          + "middle; \(option: "channels") each makes a participant of each channel."
      }
    let mute = people.count { !$0.lanes.flatMap(\.takes).isEmpty && $0.voices.isEmpty }
    let paths = Set(voices.map(\.source.path))
    if mute > 1, paths.count == 1, let voice = voices.first,
      voice.source.sound.track.stream.audio?.channels == 2, voice.source.side == nil
    {
      notes.append(
        "\(file: voice.source.path) is the only sound of \(mute) cameras: if each side of it is a microphone of its own, "
          + "\(option: "channels") each makes two voices of it.")
    }
    return notes
  }

  /// Returns a note if a voice's timestamps drift from its sample count by more than real clocks
  /// do; otherwise `nil`.
  private static func refusedDrift(_ voice: Plan.Voice) -> UserMessage? {
    let parts = voice.source.clock.refusedPartsPerMillion
    guard parts != 0 else { return nil }
    let percent = (parts.magnitude / 1000).rounded() / 10
    return "\(file: voice.source.path): the times of its sound run \(percent) % "
      + "\(parts > 0 ? "slow" : "fast") against its samples, more than any clock drifts; it is played at "
      + "its own rate, and may drift from the pictures."
  }

  /// Returns the indices of the streams that are seen or heard, by file.
  private static func usedStreams(_ people: [PlannedParticipant]) -> [String: Set<Int>] {
    var used: [String: Set<Int>] = [:]
    for person in people {
      for take in person.lanes.flatMap(\.takes) {
        used[take.track.source.path, default: []].insert(take.track.source.track.stream.index)
      }
      for voice in person.voices {
        used[voice.source.sound.path, default: []].insert(voice.source.sound.track.stream.index)
      }
    }
    return used
  }
}
