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
  /// The pictures that are meant to be seen: those of the first stream that can be decoded, in the
  /// order of ``MediaFile/preferred(_:)``; several where the recorder was started again.
  var pictures: [PictureSource] = []
  /// The sound that is meant to be heard, likewise.
  var sounds: [SoundSource] = []
  /// What is wrong.
  var losses: [Loss.Cause] = []

  /// Whether there is anything to see or hear.
  var isUsable: Bool { !pictures.isEmpty || !sounds.isEmpty }

  /// The file, where it can be read.
  var file: MediaFile? { try? scan.get().file }

  /// Opens `path`, reads all packets and tries the decoders. Never throws: what is wrong becomes
  /// a loss.
  init(_ path: String, cancellation: Cancellation) {
    self.path = path
    scan = Result { () throws(MediaError) in
      try MediaFile.scan(path, cancellation: cancellation)
    }
    switch scan {
    case .success(let scan):
      losses += scan.file.losses.map { .media($0) }
      pictures = Self.tracks(.video, of: scan.file).map(scan.pictures)
      sounds = Self.tracks(.audio, of: scan.file).map(scan.sound)
      if !isUsable, losses.isEmpty {
        losses.append(.opening("\(MediaError(path: path, reason: .nothingDecodable(nil)))"))
      }
    case .failure(let error):
      losses.append(.opening("\(error)"))
    }
  }

  /// The tracks of the stream of one kind that is used.
  private static func tracks(_ kind: StreamInfo.Kind, of file: MediaFile) -> [MediaTrack] {
    let stream = file.preferred(kind).first(where: \.isDecodable)?.stream.index
    return file.tracks(kind).filter { $0.stream.index == stream && $0.isDecodable }
  }

  /// The losses in words.
  var sentences: [String] {
    losses.map { Loss($0, of: ParticipantID(rawValue: ""), source: path).sentence }
  }
}

extension PictureSource {
  /// From the first picture that can be decoded to the end of the last one, relative to the file's
  /// beginning.
  var interval: TesseraTimeline.TimeInterval {
    let first = track.firstPicture.map { time(of: $0.packet) } ?? track.start
    return TimeInterval(start: first.rounded, end: track.end.rounded)
  }
}
