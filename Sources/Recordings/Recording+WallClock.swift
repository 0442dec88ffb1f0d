package import TesseraTimeline

extension Recording {
  /// The wall clock at the beginning of the timeline, in UTC since 1970: as the recorder says, else
  /// as the clock of the first track that has one does, a manifest's before a name's before a
  /// container's. Nil where nothing says so. To be asked of a recording that is placed.
  package var wallClockStart: MediaTime? {
    if let startedAt { return startedAt }
    for source in ClockStart.Source.allCases {
      let known = tracks.filter { $0.clockStart?.source == source }
      let first = known.min { $0.start < $1.start }
      if let first, let clock = first.clockStart { return clock.time - first.start }
    }
    return nil
  }
}
