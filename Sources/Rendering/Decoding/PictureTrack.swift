import Synchronization
import TesseraJobs
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraPlanning
import TesseraSystem
import TesseraTimeline

/// Decodes one track ahead of its being composed: a cursor with a queue and a place in the note
/// that outlives a crash.
///
/// One decoding thread at a time runs ``advance()``; the composing thread takes out of ``entries``
/// and looks at ``due``, neither with a lock.
package final class PictureTrack: Sendable {
  typealias Cursor = PictureCursor<PictureReader>

  /// What is decoded and not shown yet, and what is being shown.
  let entries = HandoffRing<Cursor.Entry>(capacity: PictureTrack.capacity)
  /// Wakes the composing thread.
  let signal = WakeSignal()

  /// Two pictures ahead of the one that is being shown.
  private static let capacity = 3

  private let frameRate: FrameRate
  private let note: TrackNote?
  private let dueFrame: Atomic<Int>
  private let cursor: Mutex<Cursor>

  /// `track` in `windows`, counted in `tally`.
  init(
    _ track: SegmentInput.Track, _ windows: [PictureWindow], frameRate: FrameRate,
    tally: PictureTally, note: TrackNote?, cancellation: Cancellation
  ) {
    (self.frameRate, self.note) = (frameRate, note)
    let source = track.source
    let cursor = Cursor(
      track.route, windows, end: track.end,
      longestHold: frameRate.firstFrame(showing: Plan.Track.longestHold), tally: tally
    ) { packet throws(MediaError) in
      try PictureReader.open(source, from: packet, cancellation: cancellation)
    }
    dueFrame = Atomic(cursor.due)
    self.cursor = Mutex(cursor)
  }

  /// The first frame for which ``entries`` may lack something; `Int.max` where nothing more comes.
  var due: Int { dueFrame.load(ordering: .acquiring) }

  /// What the pictures came to so far.
  var tally: PictureTally { cursor.withLock { $0.tally } }

  /// How many pictures were decoded so far.
  var decodedCount: Int { cursor.withLock { $0.decodedCount } }

  /// Decodes until something was put or nothing is due soon. ``entries`` has room.
  func advance() {
    cursor.withLock { cursor in
      note?.enter(frame: due, at: frameRate)
      if let entry = cursor.advance() { entries.put(entry) }
      dueFrame.store(cursor.due, ordering: .releasing)
      note?.leave()
    }
    signal.wake()
  }
}

/// One track's place in the note that outlives a worker.
struct TrackNote: Sendable {
  let note: CrashNote
  let track: TrackID
  /// The number that frame 0 has on the timeline.
  let origin: Int

  /// Notes that the track is decoded for `frame`.
  func enter(frame: Int, at rate: FrameRate) {
    let time = frame == .max ? 0 : rate.time(ofFrame: frame + origin).nanoseconds
    note.enter(.decoding, track: track.slot, time: time)
  }

  func leave() { note.leave(track: track.slot) }
}
