import TesseraMedia
import TesseraPlan
import TesseraRecordings
import TesseraTimeline

extension CallInput {
  /// What the files say about the tracks.
  func facts(_ probes: [String: InputProbe]) -> [Track.ID: TrackFacts] {
    var facts: [Track.ID: TrackFacts] = [:]
    for track in recording.tracks {
      guard let file = probes[path(of: track.file)]?.file else { continue }
      facts[track.id] = TrackFacts(
        duration: file.duration, containerStart: file.containerStart.rounded,
        clock: file.clock)
    }
    return facts
  }
}
