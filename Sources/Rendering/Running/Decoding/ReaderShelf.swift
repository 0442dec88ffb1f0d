import Synchronization
import TesseraMedia
import TesseraPixels
import TesseraSystem
import TesseraTimeline

/// Decoders that stand where the next segment's pictures begin, so that a row of segments decodes
/// nothing twice.
final class ReaderShelf: Sendable {
  /// A decoder that has put out pictures up to one.
  final class Kept: @unchecked Sendable {
    // Sendable because it is on the shelf or with the one who took it.
    private var reader: PictureReader?
    /// The number of the last picture that it put out.
    let last: Int
    /// That picture.
    let picture: Picture

    init(_ reader: consuming PictureReader, last: Int, picture: Picture) {
      self.reader = consume reader
      (self.last, self.picture) = (last, picture)
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

  /// Notes that the track is decoded for `frame`.
  func enter(frame: Int, at rate: FrameRate) {
    let time = frame == .max ? 0 : rate.time(ofFrame: frame).nanoseconds
    note.enter(.decoding, track: track, time: time)
  }

  func leave() { note.leave(track: track) }
}
