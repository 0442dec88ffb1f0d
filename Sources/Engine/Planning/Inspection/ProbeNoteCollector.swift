import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraTimeline

/// Collects notes about one file before it is rendered, one sentence each.
struct ProbeNoteCollector {
  let probe: InputProbe

  /// The longest gap that a paused recorder explains. A longer gap may be a clock error.
  private static let longestPause = MediaTime(seconds: 600)

  /// Returns a note if the file is empty for so long within `shown` that its clock may be wrong;
  /// otherwise `nil`. `start` is the file's start on the timeline.
  func emptiness(
    shown: TimeRange, start: MediaTime
  ) -> UserMessage? {
    guard let scan = try? probe.scan.get(),
      scan.file.tracks.contains(where: { scan.leaps(Self.longestPause, in: $0) }),
      let empty = scan.longestEmptiness?.moved(by: start),
      empty.duration >= Self.longestPause, empty.start < shown.end, empty.end > shown.start
    else { return nil }
    return
      "\(file: probe.path): it has no data from \(empty.start.clock) to \(empty.end.clock); if "
      + "its clock is wrong there, render only a part."
  }

  /// Returns notes about which streams are shown or mixed, if the file has several of a kind and
  /// only those in `used` are used.
  func unused(_ used: Set<Int>) -> [UserMessage] {
    guard let file = probe.file else { return [] }
    return [
      note(file, .video, used, "pictures", "shown"), note(file, .audio, used, "sound", "mixed"),
    ].compactMap { $0 }
  }

  /// Returns a note if the file has pictures and no stream of them is in `used`; otherwise `nil`.
  func unseen(_ used: Set<Int>) -> UserMessage? {
    guard let file = probe.file else { return nil }
    let streams = file.tracks(.video).map(\.stream.index)
    guard !streams.isEmpty, !streams.contains(where: used.contains) else { return nil }
    return
      "\(file: file.path): only its sound is used, for a participant whose pictures are in another "
      + "file; its pictures are not shown. A session file, as \"tessera import\" writes it, can show them."
  }

  private func note(
    _ file: MediaFileInfo, _ kind: StreamInfo.Kind, _ used: Set<Int>, _ name: String, _ use: String
  ) -> UserMessage? {
    let streams = Set(file.tracks(kind).map(\.stream.index)).sorted()
    let titles = Dictionary(
      file.tracks(kind).map { ($0.stream.index, $0.stream.title) }, uniquingKeysWith: { $1 })
    let others = streams.filter { !used.contains($0) }.map { stream in
      "\(stream)" + ((titles[stream] ?? nil).map { " (\"\($0)\")" } ?? "")
    }
    let taken = streams.filter(used.contains).map { "\($0)" }
    guard !taken.isEmpty, !others.isEmpty else { return nil }
    return "\(file: file.path): of its \(name) only stream\(taken.count == 1 ? "" : "s") "
      + "\(taken.listed(most: 4)) \(taken.count == 1 ? "is" : "are") \(use), not "
      + "\(others.count == 1 ? "stream" : "streams") \(others.listed(most: 4))."
  }
}

extension MediaScanResult {
  /// Returns true if two consecutive packets of a track are at least `pause` apart.
  fileprivate func leaps(_ pause: MediaTime, in track: MediaTrack) -> Bool {
    let least = pause.ticks(timeBase: track.clock.timeBase)
    let ticks = index(of: track).ticks[track.packets]
    return zip(ticks, ticks.dropFirst()).contains { $1 &- $0 >= least }
  }

  /// The longest interval without a packet of any track; `nil` for fewer than two packets.
  fileprivate var longestEmptiness: TimeRange? {
    let times = file.tracks.flatMap { track in
      index(of: track).ticks[track.packets].map { track.clock.time(ticks: $0).rounded }
    }.sorted()
    return zip(times, times.dropFirst())
      .max { $0.1 - $0.0 < $1.1 - $1.0 }
      .map { TimeRange(start: $0.0, end: $0.1) }
  }
}
