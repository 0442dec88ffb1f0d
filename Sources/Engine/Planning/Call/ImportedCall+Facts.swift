import TesseraCodecs
import TesseraRecordings
import TesseraTimeline

extension ImportedCall {
  /// Returns facts about the files of the recording's tracks, taken from their probes. `recording`
  /// is this call's recording by default, or a placed version of it.
  func facts(
    _ probes: [String: InputProbe], of recording: Recording? = nil
  ) -> [Track.ID: TrackPlacementFacts] {
    var facts: [Track.ID: TrackPlacementFacts] = [:]
    for track in (recording ?? self.recording).tracks {
      guard let file = probes[path(of: track.file)]?.file else { continue }
      let firsts = [StreamInfo.Kind.video, .audio].map { kind in
        file.tracks(kind).filter { track.stream == nil || $0.stream.index == track.stream }
          .map(\.start.rounded).min()
      }
      facts[track.id] = TrackPlacementFacts(
        duration: file.duration, containerStart: file.containerStart.rounded,
        writer: ContainerTags(
          file.tags.first ?? [:], streams: Array(file.tags.dropFirst()),
          frameRate: file.tracks(.video).first?.stream.video?.averageFrameRate.value,
          sampleRate: file.tracks(.audio).first?.stream.audio?.sampleRate),
        picture: firsts[0], sound: firsts[1])
    }
    return facts
  }
}
