package import TesseraTimeline

extension Recording {
  /// The wall-clock time at zero of the timeline, in UTC since 1970; `nil` if nothing states it.
  ///
  /// Stated by the recorder, otherwise derived from the finest date of a track. The recording has
  /// to be placed.
  package var wallClockStart: MediaTime? {
    if let startedAt { return startedAt }
    let dates = tracks.flatMap { track in
      track.anchors.filter { $0.isUTC && [.start, .created].contains($0.event) }.map {
        (resolution: $0.resolution, start: track.start, zero: $0.time - track.start)
      }
    }
    return dates.min { ($0.resolution, $0.start) < ($1.resolution, $1.start) }?.zero
  }
}
