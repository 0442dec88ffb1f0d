import TesseraMedia
import TesseraTimeline

extension Planner {
  /// Where the file holds nothing for so long in `shown` that its clock may be wrong, as a sentence.
  static func emptinessNote(_ probe: InputProbe, shown: TesseraTimeline.TimeInterval) -> String? {
    guard let file = try? probe.file.get(), file.tracks.contains(where: { $0.leaps(longestPause) }),
      let empty = file.longestEmptiness, empty.duration >= longestPause, empty.start < shown.end,
      empty.end > shown.start
    else { return nil }
    return "\(probe.path): it holds nothing from \(empty.start.clock) to \(empty.end.clock); where "
      + "its clock is wrong there, render only a part."
  }

  /// Recorders that are paused go on sooner.
  private static let longestPause = MediaTime(seconds: 600)
}

extension MediaFile.Track {
  /// Whether so much lies between two packets that follow each other.
  fileprivate func leaps(_ pause: MediaTime) -> Bool {
    let ticks = pause.ticks(timeBase: index.timeBase)
    return zip(index.ticks, index.ticks.dropFirst()).contains { $1 &- $0 >= ticks }
  }
}

extension MediaFile {
  /// The longest time without a packet of any track; nil for fewer than two packets.
  fileprivate var longestEmptiness: TesseraTimeline.TimeInterval? {
    let times = tracks.flatMap { track in
      track.index.ticks.map { track.index.time(ticks: $0, zero: zero) }
    }.sorted()
    return zip(times, times.dropFirst())
      .max { $0.1 - $0.0 < $1.1 - $1.0 }
      .map { TimeInterval(start: $0.0, end: $0.1) }
  }
}
