import TesseraMedia
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// What an input turned out to be once its packets were read and one picture and one block of
/// sound were decoded.
struct InputProbe: Sendable {
  let path: String
  /// What a pass over the file found, or why it cannot be read at all.
  let scan: Result<MediaScan, MediaError>
  /// What is wrong.
  var losses: [Loss.Cause] = []

  /// The file, where it can be read.
  var file: MediaFile? { try? scan.get().file }

  /// Whether there is anything to see or hear.
  var isUsable: Bool { file?.tracks.contains(where: \.isDecodable) == true }

  /// Opens `path`, reads all packets and tries the decoders, unless `cache` knows what that finds.
  /// Never throws: what is wrong becomes a loss.
  init(_ path: String, cache: ScanCache?, cancellation: Cancellation) {
    self.path = path
    scan = Result { () throws(MediaError) in
      guard let cache else { return try MediaFile.scan(path, cancellation: cancellation) }
      return try cache.scan(path, cancellation: cancellation)
    }
    switch scan {
    case .success(let scan):
      losses += scan.file.losses.map { .media($0) }
      if !isUsable, losses.isEmpty {
        losses.append(.opening("\(MediaError(path: path, reason: .nothingDecodable(nil)))"))
      }
    case .failure(let error):
      losses.append(.opening("\(error)"))
    }
  }

  /// The pictures that are meant to be seen: those of `stream`, or of the first one that can be
  /// decoded, in the order of ``MediaFile/preferred(_:)``; several where the recorder was started
  /// again.
  func pictures(_ stream: Int? = nil) -> [PictureSource] {
    guard let scan = try? scan.get() else { return [] }
    return Self.tracks(.video, of: scan.file, stream).map(scan.pictures)
  }

  /// The sound that is meant to be heard, likewise; where nobody says which stream, `choice` does.
  func sounds(
    _ stream: Int? = nil, choice: AudioTrackChoice = .preferred
  ) -> [SoundSource] {
    guard let scan = try? scan.get() else { return [] }
    if stream == nil, let chosen = choice.streams(of: scan.file) {
      return scan.file.tracks(.audio)
        .filter { chosen.contains($0.stream.index) && $0.isDecodable }.map(scan.sound)
    }
    return Self.tracks(.audio, of: scan.file, stream).map(scan.sound)
  }

  private static func tracks(
    _ kind: StreamInfo.Kind, of file: MediaFile, _ stream: Int?
  ) -> [MediaTrack] {
    let wanted = stream ?? file.preferred(kind).first(where: \.isDecodable)?.stream.index
    return file.tracks(kind).filter { $0.stream.index == wanted && $0.isDecodable }
  }

  /// The losses in words.
  var sentences: [String] {
    losses.map { Loss($0, of: ParticipantID(rawValue: ""), source: path).sentence }
  }
}

extension InputProbe {
  /// Reads all `paths` that `cache` does not know, several at a time.
  static func probe(
    _ paths: [String], cache: ScanCache?, _ cancellation: Cancellation
  ) -> [InputProbe] {
    let probes = WorkerThreads.map(paths, name: "probe", cancellation: cancellation) { path in
      InputProbe(path, cache: cache, cancellation: cancellation)
    }
    cache?.removeOldest()
    return probes.compactMap { $0 }
  }
}
