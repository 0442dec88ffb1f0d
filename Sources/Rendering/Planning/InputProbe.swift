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
  var pictures: PictureSource?
  /// From the first picture that can be decoded to the end of the last one.
  var pictureInterval: TimeInterval?
  /// The shape of the first picture as displayed, width over height.
  var pictureAspectRatio: Double?
  var sound: VoiceSource?
  /// What is wrong, a sentence each.
  var losses: [String] = []

  /// Whether there is anything to see or hear.
  var isUsable: Bool { pictures != nil || sound != nil }

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
      losses += scan.file.losses.map { "\(path): \($0)" }
      findPictures(in: scan)
      if let track = scan.file.preferred(.audio).first(where: \.isDecodable) {
        sound = VoiceSource(scan.sound(track), start: .zero, interval: track.interval)
      }
      if !isUsable, losses.isEmpty {
        losses.append("\(MediaError(path: path, reason: .nothingDecodable(nil)))")
      }
    case .failure(let error):
      losses.append("\(error)")
    }
  }

  /// Takes the stream with pictures that is meant to be seen: the first that can be decoded, in
  /// the order of ``MediaFile/preferred(_:)``.
  private mutating func findPictures(in scan: MediaScan) {
    guard let track = scan.file.preferred(.video).first(where: \.isDecodable),
      let first = track.firstPicture
    else { return }
    let source = scan.pictures(track)
    pictures = source
    pictureInterval = TimeInterval(
      start: source.time(of: first.packet).rounded, end: track.end.rounded)
    pictureAspectRatio = first.aspectRatio
  }
}
