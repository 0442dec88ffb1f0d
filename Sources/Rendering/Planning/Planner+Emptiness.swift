import TesseraMedia
import TesseraTimeline

extension Planner {
  /// Where the file holds nothing for so long in `shown` that its clock may be wrong, as a sentence.
  static func emptinessNote(_ probe: InputProbe, shown: TesseraTimeline.TimeInterval) -> String? {
    guard let scan = try? probe.scan.get(),
      scan.file.tracks.contains(where: { scan.leaps(longestPause, in: $0) }),
      let empty = scan.longestEmptiness, empty.duration >= longestPause, empty.start < shown.end,
      empty.end > shown.start
    else { return nil }
    return "\(probe.path): it holds nothing from \(empty.start.clock) to \(empty.end.clock); where "
      + "its clock is wrong there, render only a part."
  }

  /// Recorders that are paused go on sooner.
  private static let longestPause = MediaTime(seconds: 600)
}

extension MediaScan {
  /// Whether so much lies between two packets of a track that follow each other.
  fileprivate func leaps(_ pause: MediaTime, in track: MediaTrack) -> Bool {
    let least = pause.ticks(timeBase: track.clock.timeBase)
    let ticks = index(of: track).ticks[track.packets]
    return zip(ticks, ticks.dropFirst()).contains { $1 &- $0 >= least }
  }

  /// The longest time without a packet of any track; nil for fewer than two packets.
  fileprivate var longestEmptiness: TesseraTimeline.TimeInterval? {
    let times = file.tracks.flatMap { track in
      index(of: track).ticks[track.packets].map { track.clock.time(ticks: $0).rounded }
    }.sorted()
    return zip(times, times.dropFirst())
      .max { $0.1 - $0.0 < $1.1 - $1.0 }
      .map { TimeInterval(start: $0.0, end: $0.1) }
  }
}
