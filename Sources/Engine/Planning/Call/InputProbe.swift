import TesseraCodecs
import TesseraJobs
import TesseraMessages
import TesseraPlan
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// The result of probing an input: all packets read, and one picture and one audio block decoded
/// per stream.
struct InputProbe: Sendable {
  let path: String
  /// The result of scanning the file, or the error that made it unreadable.
  let scan: Result<MediaScanResult, MediaError>
  /// The clock fit of each audio track, which maps samples to times.
  private(set) var clocks: [MediaTrack: VoiceClockFit] = [:]
  /// The causes of losses found in the file.
  var losses: [Loss.Cause] = []

  /// The scanned file; `nil` if it cannot be read.
  var file: MediaFileInfo? { try? scan.get().file }

  /// True if at least one track can be decoded.
  var isUsable: Bool { file?.tracks.contains(where: \.isDecodable) == true }

  /// Creates a probe from the result of scanning `path`. Errors become losses.
  init(_ path: String, _ found: Result<ScannedFile, MediaError>) {
    self.path = path
    scan = found.map(\.scan)
    switch found {
    case .success(let found):
      let file = found.scan.file
      for (place, clock) in found.clocks where file.tracks.indices.contains(place) {
        clocks[file.tracks[place]] = clock
      }
      losses += file.losses.map { .media($0) }
      if !isUsable, losses.isEmpty {
        losses.append(.unreadable(MediaError(path: path, reason: .nothingDecodable(nil))))
      }
    case .failure(let error):
      losses.append(.unreadable(error))
    }
  }

  /// Returns the pictures to show: those of `stream`, or else of the first decodable stream in the
  /// order of ``MediaFileInfo/preferred(_:)``. Returns several sources if the recorder was
  /// restarted within the file.
  func pictures(_ stream: Int? = nil) -> [PictureSource] {
    guard let scan = try? scan.get() else { return [] }
    return Self.tracks(.video, of: scan.file, stream).map(scan.pictures)
  }

  /// Returns the sounds to hear: those of `stream`, or else of the streams that `choice` selects.
  /// Returns several sources if the recorder was restarted within the file.
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
    _ kind: StreamInfo.Kind, of file: MediaFileInfo, _ stream: Int?
  ) -> [MediaTrack] {
    let wanted = stream ?? file.preferred(kind).first(where: \.isDecodable)?.stream.index
    return file.tracks(kind).filter { $0.stream.index == wanted && $0.isDecodable }
  }

  /// Returns the voice of `sound`, heard in `interval`, for a file that starts at `start` on the
  /// timeline.
  func voice(
    _ sound: SoundSource, start: MediaTime, interval: TimeRange,
    rate: Ratio = .one
  ) -> VoiceSource {
    let clock = clocks[sound.track] ?? VoiceClockFit(sound)
    return VoiceSource(sound, clock: clock, start: start, interval: interval, rate: rate)
  }

  /// The losses, one sentence each.
  var sentences: [UserMessage] {
    losses.map { Loss($0, of: ParticipantID(rawValue: ""), source: path).message }
  }
}

extension InputProbe {
  /// Probes `paths`, several at a time. Files in `cache` are not read again.
  static func probe(
    _ paths: [String], cache: ScanCache?, _ readers: TaskWorkerPool
  ) throws(RenderError) -> [InputProbe] {
    var found: [Int: Result<ScannedFile, MediaError>] = [:]
    for (number, path) in paths.enumerated() {
      if let known = ScannedFile(path, in: cache) { found[number] = .success(known) }
    }
    let missing = paths.indices.filter { found[$0] == nil }
    let identities = missing.map { FileIdentity(paths[$0]) }
    let results = try readers.results(of: missing.map { RecordingReadTask.probe(paths[$0]) })
    for (place, number) in missing.enumerated() {
      switch results[place] {
      case .scan(let scanned):
        scanned.keep(in: cache, of: identities[place])
        found[number] = .success(scanned)
      case .unreadable(let error): found[number] = .failure(error)
      default:
        found[number] = .failure(MediaError(path: paths[number], reason: .cancelled))
      }
    }
    cache?.removeOldest()
    return paths.indices.compactMap { number in
      found[number].map { InputProbe(paths[number], $0) }
    }
  }
}
