import TesseraCodecs
import TesseraDocuments
import TesseraJobs
import TesseraRecordings
import TesseraSystem
import TesseraTimeline

/// Reads stream lists and durations from container headers, for recorders that store all
/// participants in one file.
enum StreamLister {
  /// Returns the streams of the file at `path`, read by `readers`, or `nil` if the file cannot be
  /// read.
  static func facts(_ path: String, _ readers: TaskWorkerPool) -> [RecordingSource.StreamHeader]? {
    // The error is ignored here: the probe of the same file reports it.
    guard
      case .streams(let facts) = (try? readers.results(of: [RecordingReadTask.streams(path)]))?
        .first
    else {
      return nil
    }
    return facts
  }

  /// Returns the duration and header facts of each file at `paths`, or `nil` for files that cannot
  /// be read. If `isWhole` is true, all packets are read of files whose header states no duration.
  static func spans(
    _ paths: [String], isWhole: Bool = true, _ readers: TaskWorkerPool
  ) -> [RecordingSource.ContainerInfo?] {
    let tasks = paths.map { isWhole ? RecordingReadTask.span($0) : .header($0) }
    guard let results = try? readers.results(of: tasks) else {
      return paths.map { _ in nil }
    }
    return results.map { if case .span(let span) = $0 { span } else { nil } }
  }

  /// Returns the duration and header facts of the file at `path`, or `nil` if it cannot be read. If
  /// the header states no duration, all packets are read if `isWhole` is true; otherwise the
  /// duration is zero.
  static func span(
    _ path: String, isWhole: Bool = true, _ cancellation: Cancellation
  ) -> RecordingSource.ContainerInfo? {
    // The header of a segmented file's first segment does not describe the other segments.
    if !HLSPlaylist.isPlaylist(path),
      let demuxer = try? Demuxer.open(path, cancellation: cancellation),
      let duration = demuxer.declaredDuration ?? (isWhole ? nil : .zero)
    {
      let start = demuxer.firstTime
      // Matroska states the duration from time zero, not from the first packet.
      let isFromZero = demuxer.formatName.hasPrefix("matroska")
      return RecordingSource.ContainerInfo(
        duration: isFromZero ? max(.zero, duration - (start ?? .zero)) : duration, start: start,
        tags: demuxer.tags.first ?? [:], streams: facts(demuxer))
    }
    guard isWhole, let file = try? MediaFileInfo.scan(path, cancellation: cancellation).file
    else { return nil }
    return RecordingSource.ContainerInfo(
      duration: file.duration, start: file.containerStart.rounded, tags: file.tags.first ?? [:])
  }

  /// Returns the streams of the file at `path`, or `nil` if it cannot be opened.
  static func facts(
    _ path: String, _ cancellation: Cancellation
  ) -> [RecordingSource.StreamHeader]? {
    guard let demuxer = try? Demuxer.open(path, cancellation: cancellation) else { return nil }
    return facts(demuxer)
  }

  private static func facts(_ demuxer: borrowing Demuxer) -> [RecordingSource.StreamHeader] {
    zip(demuxer.streams, demuxer.streamTags).map { stream, tags in
      let kind: RecordingSource.StreamHeader.Kind =
        switch stream.kind {
        case .video: .video
        case .audio: .audio
        case .other: .other
        }
      var facts = RecordingSource.StreamHeader(
        stream.index, kind, tags: tags, interval: demuxer.declaredInterval(stream.index))
      facts.channelCount = stream.audio?.channels ?? 0
      return facts
    }
  }
}
