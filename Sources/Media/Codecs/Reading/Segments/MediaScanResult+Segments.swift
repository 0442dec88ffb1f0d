import TesseraMessages
import TesseraSystem
import TesseraTimeline

extension MediaScanResult {
  /// The gap below which a run counts as continuous with the last one, because playlists round
  /// durations.
  private static let near = ExactTime(1, over: 4)
  /// The distance from a hole within which demuxers' damage reports are attributed to the hole.
  private static let around = ExactTime(1, over: 1)
  /// The maximum number of holes reported separately.
  private static let mostHoles = 20

  /// Scans all runs of the segmented recording at `path` and places each by the playlist's clock.
  ///
  /// - Throws: ``MediaError`` if no run can be read.
  static func segments(
    _ path: String, cancellation: Cancellation
  ) throws(MediaError) -> MediaScanResult {
    let list = try SegmentedFile(path)
    guard let identity = FileIdentity(path) else {
      throw MediaError(path: path, reason: .unreadable("the system cannot read it again"))
    }
    let empty = MediaFileInfo(
      path: path, identity: identity, container: "hls",
      tags: list.date.map { [["program-date-time": WallClockFormat.text($0)]] } ?? [], tracks: [],
      containerStart: .zero,
      losses: [], notes: [])
    var (whole, failure) = (MediaScanResult(file: empty, indexes: [:]), MediaError?.none)
    var (end, lastIsOfSound) = (ExactTime.zero, false)
    for (number, run) in list.runs.enumerated() {
      if run.isOfSound != lastIsOfSound { (end, lastIsOfSound) = (.zero, true) }
      let start = ExactTime(run.start)
      let place = start - end < near ? end : start
      do throws(MediaError) {
        let scan = try MediaFileInfo.scan("\(path)/\(number)", cancellation: cancellation)
        whole.append(scan, run: number, at: place, rotation: run.rotation)
        end = max(end, place + ExactTime(scan.file.duration))
      } catch {
        guard error.reason != .cancelled else { throw MediaError(path: path, reason: .cancelled) }
        failure = failure ?? MediaError(path: path, reason: error.reason)
        whole.file.losses.append(
          MediaLoss(.damaged(error.cause), start: place, end: place + ExactTime(run.length)))
      }
    }
    if whole.file.tracks.isEmpty, let failure { throw failure }
    whole.note(list)
    return whole
  }

  /// Adds the tracks, losses and notes of run number `run`, which starts at `place`.
  private mutating func append(
    _ scan: MediaScanResult, run: Int, at place: ExactTime, rotation: Int?
  ) {
    let link = (file.tracks.map(\.link).max() ?? -1) + 1
    for var track in scan.file.tracks {
      (track.run, track.link) = (run, track.link + link)
      track.clock.start = track.clock.start + place
      (track.start, track.end) = (track.start + place, track.end + place)
      if let rotation, rotation != 0 {
        track.stream.video?.turn(by: rotation)
        if rotation != 180, let ratio = track.firstPicture?.aspectRatio, ratio > 0 {
          track.firstPicture?.aspectRatio = 1 / ratio
        }
      }
      file.tracks.append(track)
    }
    file.title = file.title ?? scan.file.title
    file.losses += scan.file.losses.map { loss in
      var loss = loss
      (loss.start, loss.end) = (loss.start.map { $0 + place }, loss.end.map { $0 + place })
      return loss
    }
    for note in scan.file.notes {
      if case .startsAt = note { continue }
      if !file.notes.contains(note) { file.notes.append(note) }
    }
    indexes.merge(scan.indexes) { first, _ in first }
  }

  /// Adds losses for missing segments, and a note if the playlist has no end.
  private mutating func note(_ list: SegmentedFile) {
    let holes = list.holes
    for hole in holes {
      let (start, end) = (ExactTime(hole.start) - Self.around, ExactTime(hole.end) + Self.around)
      file.losses.removeAll { loss in
        guard let first = loss.start, let last = loss.end else { return false }
        switch loss.cause {
        case .damaged, .missing: return start <= first && last <= end
        default: return false
        }
      }
    }
    for hole in holes.prefix(Self.mostHoles) {
      file.losses.append(
        MediaLoss(
          .missingSegments(hole.count, hole.name), start: ExactTime(hole.start),
          end: ExactTime(hole.end)))
    }
    if let first = holes.dropFirst(Self.mostHoles).first, let last = holes.last {
      let count = holes.dropFirst(Self.mostHoles).reduce(0) { $0 + $1.count }
      file.losses.append(
        MediaLoss(
          .missingSegments(count, first.name), start: ExactTime(first.start),
          end: ExactTime(last.end)))
    }
    if list.isOpenEnded { file.notes.append(.openEnded(unnamed: list.unnamedCount)) }
  }
}
