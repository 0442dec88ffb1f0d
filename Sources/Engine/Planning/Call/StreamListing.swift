import TesseraCodecs
import TesseraDocuments
import TesseraJobs
import TesseraPlan
import TesseraRecordings
import TesseraSystem
import TesseraTimeline

/// What containers say about their streams, for recorders that put everyone into one file.
enum StreamListing {
  /// The streams of the file at `path`, as `readers` find them; nil where they cannot.
  static func facts(_ path: String, _ readers: TaskPool) -> [RecordingSource.StreamFacts]? {
    // Who cannot read it here says so when it is probed.
    guard case .streams(let facts) = (try? readers.read([.streams(path)]))?.first else {
      return nil
    }
    return facts
  }

  /// The lengths of the files at `paths`, and what their containers say; `nil` for those that cannot
  /// be read. `isWhole` reads all packets of files whose headers state no length.
  static func spans(
    _ paths: [String], isWhole: Bool = true, _ readers: TaskPool
  ) -> [RecordingSource.Span?] {
    let tasks = paths.map { isWhole ? ReadingTask.span($0) : .header($0) }
    guard let results = try? readers.read(tasks) else {
      return paths.map { _ in nil }
    }
    return results.map { if case .span(let span) = $0 { span } else { nil } }
  }

  /// The length of the file at `path`, and what its container says; `nil` if it cannot be read. The
  /// header states the length, or all packets do, which only `isWhole` reads.
  static func span(
    _ path: String, isWhole: Bool = true, _ cancellation: Cancellation
  ) -> RecordingSource.Span? {
    // Of segments the header of the first ones says nothing of the others.
    if !Playlist.isPlaylist(path),
      let demuxer = try? Demuxer.open(path, cancellation: cancellation),
      let duration = demuxer.declaredDuration ?? (isWhole ? nil : .zero)
    {
      let start = demuxer.firstTime
      // Matroska counts its duration from zero.
      let isFromZero = demuxer.formatName.hasPrefix("matroska")
      return RecordingSource.Span(
        duration: isFromZero ? max(.zero, duration - (start ?? .zero)) : duration, start: start,
        tags: demuxer.tags.first ?? [:], streams: facts(demuxer))
    }
    guard isWhole, let file = try? MediaFile.scan(path, cancellation: cancellation).file
    else { return nil }
    return RecordingSource.Span(
      duration: file.duration, start: file.containerStart.rounded, tags: file.tags.first ?? [:])
  }

  /// The streams of the file at `path`; nil where it cannot be opened.
  static func facts(
    _ path: String, _ cancellation: Cancellation
  ) -> [RecordingSource.StreamFacts]? {
    guard let demuxer = try? Demuxer.open(path, cancellation: cancellation) else { return nil }
    return facts(demuxer)
  }

  private static func facts(_ demuxer: borrowing Demuxer) -> [RecordingSource.StreamFacts] {
    zip(demuxer.streams, demuxer.streamTags).map { stream, tags in
      let kind: RecordingSource.StreamFacts.Kind =
        switch stream.kind {
        case .video: .video
        case .audio: .audio
        case .other: .other
        }
      var facts = RecordingSource.StreamFacts(
        stream.index, kind, tags: tags, interval: demuxer.declaredInterval(stream.index))
      facts.channelCount = stream.audio?.channels ?? 0
      return facts
    }
  }
}
