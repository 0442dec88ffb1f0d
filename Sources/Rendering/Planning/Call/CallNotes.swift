import TesseraMedia
import TesseraRecordings
import TesseraSoundtrack
import TesseraTimeline

/// What is worth knowing of a call's files, a sentence each.
struct CallNotes {
  let input: CallInput
  /// What happened, as it is rendered.
  let recording: Recording
  let probes: [String: InputProbe]
  let alignment: Alignment

  /// The notes where `people` are seen and heard, and `shown` is rendered.
  func sentences(_ people: [Person], shown: TesseraTimeline.TimeInterval) -> [String] {
    let used = Self.usedStreams(people)
    var notes: [String] = []
    var seen: Set<String> = []
    for track in recording.tracks {
      let path = input.path(of: track.file)
      guard let probe = probes[path] else { continue }
      let notesOfFile = ProbeNotes(probe: probe)
      let start = track.start - (track.inPoint ?? .zero)
      if let note = notesOfFile.emptiness(shown: shown, start: start) { notes.append(note) }
      guard seen.insert(path).inserted else {
        if input.isPlainList { notes.append("\(path) is there more than once.") }
        continue
      }
      notes += notesOfFile.unused(used[path] ?? [])
      if track.kind.isSoundOnly, let note = notesOfFile.unseen(used[path] ?? []) {
        notes.append(note)
      }
    }
    notes += recording.comebacks(input.facts(probes))
    if alignment == .start, input.isPlainList, input.recording.clockDiffers(input.facts(probes)) {
      notes.append(
        "the recordings' wall clocks would place them differently; --align clock follows them.")
    }
    return notes
  }

  /// The streams of each file that are seen or heard.
  private static func usedStreams(_ people: [Person]) -> [String: Set<Int>] {
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
