import Synchronization
import TesseraMedia
import TesseraPixels
import TesseraSystem
import TesseraTimeline

/// What stretches of a timeline leave to those that follow: decoders that stand where the next
/// pictures begin, so that a row of segments decodes nothing twice.
final class ReaderShelf: Sendable {
  /// A decoder that has put out pictures up to one.
  final class Kept: @unchecked Sendable {
    // Sendable because it is on the shelf or with the one who took it.
    private var reader: PictureReader?
    /// The packet that it was asked to begin with.
    let start: Int
    /// The number of the last picture that it put out.
    let last: Int
    /// That picture.
    let picture: Picture
    /// The packet of the picture that it has found since; nil where it has none.
    let replay: Int?

    init(
      _ reader: consuming PictureReader, from start: Int, last: Int, picture: Picture, replay: Int?
    ) {
      self.reader = consume reader
      (self.start, self.last, self.picture, self.replay) = (start, last, picture, replay)
    }

    /// The decoder; nil the second time.
    func take() -> PictureReader? { reader.take() }
  }

  private let kept = Mutex<[TrackID: Kept]>([:])

  /// Leaves a track's decoder here.
  func put(_ reader: Kept, for track: TrackID) { kept.withLock { $0[track] = reader } }

  /// Takes a track's decoder; nil where there is none.
  func take(_ track: TrackID) -> Kept? { kept.withLock { $0.removeValue(forKey: track) } }
}

/// One track's place in the note that outlives a worker.
struct TrackNote: Sendable {
  let note: CrashNote
  /// The track's place in the plan.
  let track: Int
  /// The number that frame 0 has on the timeline.
  let origin: Int

  /// Notes that the track is decoded for `frame`.
  func enter(frame: Int, at rate: FrameRate) {
    let time = frame == .max ? 0 : rate.time(ofFrame: frame + origin).nanoseconds
    note.enter(.decoding, track: track, time: time)
  }

  func leave() { note.leave(track: track) }
}
