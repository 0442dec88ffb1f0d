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
