import TesseraDocuments
import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraRecordings
import TesseraSystem

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

  /// How long the files at `paths` are, and when they begin; nil for those that cannot be read.
  static func spans(_ paths: [String], _ readers: TaskPool) -> [RecordingSource.Span?] {
    guard let results = try? readers.read(paths.map { .span($0) }) else {
      return paths.map { _ in nil }
    }
    return results.map { if case .span(let span) = $0 { span } else { nil } }
  }

  /// How long the file at `path` is, and when it begins; nil where it cannot be read. Its header
  /// says so, or all of its packets.
  static func span(_ path: String, _ cancellation: Cancellation) -> RecordingSource.Span? {
    // Of segments the header of the first ones says nothing of the others.
    if !Playlist.isPlaylist(path),
      let demuxer = try? Demuxer.open(path, cancellation: cancellation),
      let duration = demuxer.declaredDuration
    {
      return RecordingSource.Span(duration: duration, clock: demuxer.clock)
    }
    guard let file = try? MediaFile.scan(path, cancellation: cancellation).file else { return nil }
    return RecordingSource.Span(duration: file.duration, clock: file.clock)
  }

  /// The streams of the file at `path`; nil where it cannot be opened.
  static func facts(
    _ path: String, _ cancellation: Cancellation
  ) -> [RecordingSource.StreamFacts]? {
    guard let demuxer = try? Demuxer.open(path, cancellation: cancellation) else { return nil }
    return zip(demuxer.streams, demuxer.streamTags).map { stream, tags in
      let kind: RecordingSource.StreamFacts.Kind =
        switch stream.kind {
        case .video: .video
        case .audio: .audio
        case .other: .other
        }
      return RecordingSource.StreamFacts(stream.index, kind, tags: tags)
    }
  }
}
