import TesseraCodecs
import TesseraJobs
import TesseraPlan
import TesseraRecordings
import TesseraTimeline

/// What is worth knowing of files before they are rendered, a sentence each.
struct ProbeNotes {
  let probe: InputProbe

  /// Recorders that are paused go on sooner.
  private static let longestPause = MediaTime(seconds: 600)

  /// Where the file holds nothing for so long in `shown` that its clock may be wrong; `start` is
  /// where its beginning lies on the timeline.
  func emptiness(
    shown: TimeRange, start: MediaTime
  ) -> String? {
    guard let scan = try? probe.scan.get(),
      scan.file.tracks.contains(where: { scan.leaps(Self.longestPause, in: $0) }),
      let empty = scan.longestEmptiness?.moved(by: start),
      empty.duration >= Self.longestPause, empty.start < shown.end, empty.end > shown.start
    else { return nil }
    return "\(probe.path): it holds nothing from \(empty.start.clock) to \(empty.end.clock); where "
      + "its clock is wrong there, render only a part."
  }

  /// Which pictures are shown and which sound is mixed of a file with several tracks of a kind, of
  /// which `used` are used.
  func unused(_ used: Set<Int>) -> [String] {
    guard let file = probe.file else { return [] }
    return [
      note(file, .video, used, "pictures", "shown"), note(file, .audio, used, "sound", "mixed"),
    ].compactMap { $0 }
  }

  /// That the pictures of a file are not shown, where it has some that nobody used.
  func unseen(_ used: Set<Int>) -> String? {
    guard let file = probe.file else { return nil }
    let streams = file.tracks(.video).map(\.stream.index)
    guard !streams.isEmpty, !streams.contains(where: used.contains) else { return nil }
    return
      "\(file.path): only its sound is used, as the sound of somebody whose pictures are in another "
      + "file; its pictures are not shown. A session file, as \"tessera import\" writes it, can show them."
  }

  private func note(
    _ file: MediaFile, _ kind: StreamInfo.Kind, _ used: Set<Int>, _ name: String, _ use: String
  ) -> String? {
    let streams = Set(file.tracks(kind).map(\.stream.index)).sorted()
    let titles = Dictionary(
      file.tracks(kind).map { ($0.stream.index, $0.stream.title) }, uniquingKeysWith: { $1 })
    let others = streams.filter { !used.contains($0) }.map { stream in
      "\(stream)" + ((titles[stream] ?? nil).map { " (\"\($0)\")" } ?? "")
    }
    let taken = streams.filter(used.contains).map { "\($0)" }
    guard !taken.isEmpty, !others.isEmpty else { return nil }
    return "\(file.path): of its \(name) only stream\(taken.count == 1 ? "" : "s") "
      + "\(taken.listed(most: 4)) \(taken.count == 1 ? "is" : "are") \(use), not "
      + "\(others.count == 1 ? "stream" : "streams") \(others.listed(most: 4))."
  }
}

extension MediaScan {
  /// Whether so much lies between two packets of a track that follow each other.
  fileprivate func leaps(_ pause: MediaTime, in track: MediaTrack) -> Bool {
    let least = pause.ticks(timeBase: track.clock.timeBase)
    let ticks = index(of: track).ticks[track.packets]
    return zip(ticks, ticks.dropFirst()).contains { $1 &- $0 >= least }
  }

  /// The longest time without a packet of any track; nil for fewer than two packets.
  fileprivate var longestEmptiness: TimeRange? {
    let times = file.tracks.flatMap { track in
      index(of: track).ticks[track.packets].map { track.clock.time(ticks: $0).rounded }
    }.sorted()
    return zip(times, times.dropFirst())
      .max { $0.1 - $0.0 < $1.1 - $1.0 }
      .map { TimeRange(start: $0.0, end: $0.1) }
  }
}
