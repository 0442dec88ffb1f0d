import TesseraCodecs
import TesseraJobs
import TesseraPlan
import TesseraRequest
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// What an input turned out to be once its packets were read and one picture and one block of
/// sound were decoded.
struct InputProbe: Sendable {
  let path: String
  /// What a pass over the file found, or why it cannot be read at all.
  let scan: Result<MediaScan, MediaError>
  /// When the packets of each track of sound are heard.
  private(set) var clocks: [MediaTrack: ClockFit] = [:]
  /// What is wrong.
  var losses: [Loss.Cause] = []

  /// The file, where it can be read.
  var file: MediaFile? { try? scan.get().file }

  /// Whether there is anything to see or hear.
  var isUsable: Bool { file?.tracks.contains(where: \.isDecodable) == true }

  /// What became of reading all packets of `path` and trying the decoders. What is wrong becomes a
  /// loss.
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

  /// The voice of `sound`, heard in `interval`, where the file begins at `start`.
  func voice(
    _ sound: SoundSource, start: MediaTime, interval: TimeRange,
    rate: Ratio = .one
  ) -> VoiceSource {
    let clock = clocks[sound.track] ?? ClockFit(sound)
    return VoiceSource(sound, clock: clock, start: start, interval: interval, rate: rate)
  }

  /// The losses in words.
  var sentences: [String] {
    losses.map { Loss($0, of: ParticipantID(rawValue: ""), source: path).sentence }
  }
}

extension InputProbe {
  /// Has all `paths` read that `cache` does not know, several at a time.
  static func probe(
    _ paths: [String], cache: ScanCache?, _ readers: TaskPool
  ) throws(RenderError) -> [InputProbe] {
    var found: [Int: Result<ScannedFile, MediaError>] = [:]
    for (number, path) in paths.enumerated() {
      if let known = ScannedFile(path, in: cache) { found[number] = .success(known) }
    }
    let missing = paths.indices.filter { found[$0] == nil }
    let identities = missing.map { FileIdentity(paths[$0]) }
    let results = try readers.read(missing.map { .probe(paths[$0]) })
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
