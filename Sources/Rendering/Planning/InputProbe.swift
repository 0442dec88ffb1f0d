import TesseraMedia
import TesseraPixels
import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// What an input turned out to be once its packets were read and one picture and one block of
/// sound were decoded.
struct InputProbe: Sendable {
  let path: String
  /// The file, or why it cannot be read at all.
  let file: Result<MediaFile, MediaError>
  var pictures: PictureSource?
  /// From the first picture that can be decoded to the end of the last one.
  var pictureInterval: TimeInterval?
  /// The shape of the first picture as displayed, width over height.
  var pictureAspectRatio: Double?
  var sound: VoiceSource?
  /// How much of the pictures comes before the first one that can be decoded.
  var unseenBeginning = MediaTime.zero
  /// What is wrong, a sentence each.
  var losses: [String] = []

  /// Whether there is anything to see or hear.
  var isUsable: Bool { pictures != nil || sound != nil }

  /// Opens `path`, reads all packets and tries the decoders. Never throws: what is wrong becomes
  /// a loss.
  init(_ path: String, cancellation: Cancellation) {
    self.path = path
    file = Result { () throws(MediaError) in
      try MediaFile.scan(path, cancellation: cancellation)
    }
    switch file {
    case .success(let file):
      losses += file.damage.map { "\(path): \($0)." }
      findPictures(in: file, cancellation)
      findSound(in: file, cancellation)
      if !isUsable, losses.isEmpty {
        losses.append("\(MediaError(path: path, reason: .nothingDecodable(nil)))")
      }
    case .failure(let error):
      losses.append("\(error)")
    }
  }

  /// Takes the stream with pictures that is meant to be seen: the first that can be decoded, in
  /// the order of ``MediaFile/preferred(_:)``.
  private mutating func findPictures(in file: MediaFile, _ cancellation: Cancellation) {
    var firstFailure: String?
    for track in file.preferred(.video) {
      var source = PictureSource(track, of: file)
      switch FirstPicture.find(in: source, cancellation) {
      case .success(let first):
        source.isInterlaced = source.isInterlaced || first.isInterlaced
        pictures = source
        let end = file.interval(of: track).end
        pictureInterval = TimeInterval(start: first.time, end: end)
        pictureAspectRatio = first.aspectRatio
        unseenBeginning = first.time - file.interval(of: track).start
        noteUnseenBeginning()
        return
      case .failure(let reason):
        firstFailure = firstFailure ?? reason.description
      }
    }
    if let firstFailure {
      losses.append("\(path): no picture of it can be decoded (\(firstFailure)).")
    }
  }

  /// Less than that is hardly seen.
  static let shortestUnseen = MediaTime(nanoseconds: 500_000_000)

  private mutating func noteUnseenBeginning() {
    guard unseenBeginning >= Self.shortestUnseen else { return }
    let tenths = MediaTime(nanoseconds: unseenBeginning.nanoseconds / 100_000_000 * 100_000_000)
    losses.append(
      "\(path): its first \(tenths) s of pictures cannot be shown, because they depend on "
        + "pictures that are not in the file.")
  }

  private mutating func findSound(in file: MediaFile, _ cancellation: Cancellation) {
    var firstFailure: String?
    for track in file.preferred(.audio) {
      let source = VoiceSource(
        path: path, stream: track.stream.index, isChained: track.index.isChained,
        zero: file.zero, start: .zero,
        interval: file.interval(of: track))
      do throws(MediaError) {
        var reader = try SoundReader.open(
          path, stream: track.stream.index, cancellation: cancellation)
        if reader.next() != nil {
          sound = source
          return
        }
        firstFailure = firstFailure ?? reader.losses.firstError
      } catch {
        firstFailure = firstFailure ?? error.cause
      }
    }
    if let firstFailure {
      losses.append("\(path): no sound of it can be decoded (\(firstFailure)).")
    }
  }
}

/// The first picture of a stream that the decoder puts out whole.
private struct FirstPicture {
  let time: MediaTime
  let isInterlaced: Bool
  let aspectRatio: Double

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func find(
    in source: PictureSource, _ cancellation: Cancellation
  ) -> Result<FirstPicture, Failure> {
    do throws(MediaError) {
      var plain = source
      plain.isInterlaced = false
      var reader = try PictureReader.open(plain, keyframe: 0, cancellation: cancellation)
      while let time = reader.next() {
        let isInterlaced = reader.isFrameInterlaced
        guard let picture = reader.makePicture() else { continue }
        return .success(
          FirstPicture(
            time: time, isInterlaced: isInterlaced, aspectRatio: picture.displayAspectRatio))
      }
      let why = reader.losses.firstError ?? "its decoder puts out nothing"
      return .failure(Failure(description: why))
    } catch {
      return .failure(Failure(description: error.cause))
    }
  }
}
