import Synchronization
import TesseraCodecs
import TesseraPixels
import TesseraPlan
import TesseraSystem
import TesseraTimeline

/// Decodes one track ahead of its being composed: a cursor with a queue and a place in the note
/// that outlives a crash.
///
/// One decoding thread at a time runs ``advance()``; the composing thread takes out of ``entries``
/// and looks at ``due``, neither with a lock.
package final class PictureTrack: Sendable {
  typealias Cursor = PictureCursor<PictureTap>

  /// What is decoded and not shown yet, and what is being shown.
  let entries = HandoffRing<Cursor.Entry>(capacity: PictureTrack.capacity)
  /// Wakes the composing thread.
  let signal = WakeSignal()

  /// Two pictures ahead of the one that is being shown.
  private static let capacity = 3

  /// Which of the recordings it is: those with one number are decoded by one thread at a time.
  let recording: Int

  private let frameRate: FrameRate
  private let origin: Int
  /// The note of what is decoded, and the track's slot in it.
  private let (note, slot): (CrashNote?, Int)
  /// How long before a picture is due decoding may begin, in nanoseconds.
  private let lookahead: Int
  private let dueFrame: Atomic<Int>
  private let wakeTime: Atomic<Int>
  private let cursor: Mutex<Cursor>

  /// `track` of `member`, which shows `pictures`.
  init(
    _ track: SegmentInput.Track, of member: PictureSupply.Member, _ pictures: SharedPictures,
    note: CrashNote?
  ) {
    let (input, course) = (member.input, member.course)
    frameRate = input.output.video.frameRate
    origin = input.origin
    (self.note, slot) = (note, member.slot(track.id))
    // A second: what a decoder needs at most to come from a keyframe to where it is wanted.
    let frame = frameRate.time(ofFrame: 1)
    lookahead = Int(max(frame, MediaTime(seconds: 1)).nanoseconds)
    recording = pictures.number
    let (source, number) = (track.source, pictures.addFollower())
    let cursor = Cursor(
      track.route,
      PictureWindow.windows(
        of: track.wanted, in: member.frames.ranges, cuts: course.cuts,
        lost: track.lostFrom ?? .max, needed: track.windows),
      end: track.end, longestHold: frameRate.firstFrame(showing: Plan.Track.longestHold),
      tally: PictureTally(starts: course.parts)
    ) { packet, first throws(MediaError) in
      try PictureTap.open(pictures, number, source, from: packet, toShow: first)
    }
    let due = cursor.due
    dueFrame = Atomic(due)
    wakeTime = Atomic(.max)
    self.cursor = Mutex(cursor)
    wakeTime.store(time(ofDue: due), ordering: .relaxed)
  }

  /// When decoding may begin for `frame`, in nanoseconds of the timeline; `Int.max` for no frame.
  private func time(ofDue frame: Int) -> Int {
    frame == .max
      ? .max : Int(frameRate.time(ofFrame: frame + origin).nanoseconds) - lookahead
  }

  /// The first frame for which ``entries`` may lack something; `Int.max` where nothing more comes.
  var due: Int { dueFrame.load(ordering: .acquiring) }

  /// When decoding for ``due`` may begin, in nanoseconds of the timeline; `Int.max` where nothing
  /// more comes.
  var earliest: Int { wakeTime.load(ordering: .acquiring) }

  /// When `frame` begins, in nanoseconds of the timeline.
  func time(ofFrame frame: Int) -> Int {
    Int(frameRate.time(ofFrame: frame + origin).nanoseconds)
  }

  /// What the pictures came to so far.
  var tally: PictureTally { cursor.withLock { $0.tally } }

  /// Decodes until something was put or nothing is due soon. ``entries`` has room.
  func advance() {
    cursor.withLock { cursor in
      note?.enter(.decoding, track: slot, time: due == .max ? 0 : Int64(time(ofFrame: due)))
      if let entry = cursor.advance() { entries.put(entry) }
      wakeTime.store(time(ofDue: cursor.due), ordering: .releasing)
      dueFrame.store(cursor.due, ordering: .releasing)
      note?.leave(track: slot)
    }
    signal.wake()
  }
}
