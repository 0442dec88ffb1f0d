import TesseraMedia
import TesseraRecordings
import TesseraSystem

/// What containers say about their streams, for recorders that put everyone into one file.
enum StreamListing {
  /// The streams of the file at `path`; nil where it cannot be opened.
  static func facts(_ path: String) -> [RecordingSource.StreamFacts]? {
    guard let demuxer = try? Demuxer.open(path, cancellation: Cancellation()) else { return nil }
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
