import Synchronization
import TesseraCodecs
import TesseraPlan
import TesseraSystem
import TesseraTimeline

/// Decodes one track ahead of composition: a cursor with a queue, and a slot in the crash note.
///
/// One decoding thread at a time runs ``advance()``. The composing thread takes from ``entries``
/// and reads ``due``, both without locks.
package final class PicturePrefetcher: Sendable {
  typealias Cursor = PictureCursor<TrackPictureReader>

  /// The entries that are decoded and not shown yet, and the one being shown.
  let entries = SPSCQueue<Cursor.FrameContent>(capacity: PicturePrefetcher.capacity)
  /// The signal that wakes the composing thread after each step.
  let signal = WakeSignal()

  /// Capacity of ``entries``: two entries ahead of the one being shown.
  private static let capacity = 3

  /// The recording's number. Tracks with one number share a recording, which one thread at a time
  /// decodes.
  let recording: Int

  private let frameRate: FrameRate
  private let origin: Int
  /// The crash note, and the track's slot in it.
  private let (note, slot): (CrashNote?, Int)
  /// Nanoseconds by which decoding may start before a picture is due.
  private let lookahead: Int
  private let dueFrame: Atomic<Int>
  private let wakeTime: Atomic<Int>
  private let cursor: Mutex<Cursor>

  init(
    _ track: SegmentInput.Track, of member: PictureDecodePool.DecodeRequest,
    _ pictures: SharedPictureDecoder,
    note: CrashNote?
  ) {
    let (input, course) = (member.input, member.course)
    frameRate = input.output.video.frameRate
    origin = input.origin
    (self.note, slot) = (note, member.slot(track.id))
    // 1 s: the longest time that a decoder usually needs from a keyframe to the wanted picture.
    let frame = frameRate.time(ofFrame: 1)
    lookahead = Int(max(frame, MediaTime(seconds: 1)).nanoseconds)
    recording = pictures.number
    let (source, number) = (track.source, pictures.addFollower())
    let cursor = Cursor(
      track.route,
      DecodeWindow.windows(
        of: track.wanted, in: member.frames.ranges, cuts: course.cuts,
        lost: track.lostFrom ?? .max, needed: track.windows),
      end: track.end, longestHold: frameRate.firstFrame(showing: Plan.Track.longestHold),
      statistics: PictureStatistics(starts: course.parts)
    ) { packet, first throws(MediaError) in
      try TrackPictureReader.open(pictures, number, source, from: packet, toShow: first)
    }
    let due = cursor.due
    dueFrame = Atomic(due)
    wakeTime = Atomic(.max)
    self.cursor = Mutex(cursor)
    wakeTime.store(time(ofDue: due), ordering: .relaxed)
  }

  /// Returns the time at which decoding for `frame` may start, in nanoseconds of the timeline;
  /// `Int.max` if there is no frame.
  private func time(ofDue frame: Int) -> Int {
    frame == .max
      ? .max : Int(frameRate.time(ofFrame: frame + origin).nanoseconds) - lookahead
  }

  /// The first frame whose entry may still be missing in ``entries``; `Int.max` after the last one.
  var due: Int { dueFrame.load(ordering: .acquiring) }

  /// The time at which decoding for ``due`` may start, in nanoseconds of the timeline; `Int.max`
  /// after the last entry.
  var earliest: Int { wakeTime.load(ordering: .acquiring) }

  /// Returns the start of `frame`, in nanoseconds of the timeline.
  func time(ofFrame frame: Int) -> Int {
    Int(frameRate.time(ofFrame: frame + origin).nanoseconds)
  }

  /// The statistics of the track's pictures so far.
  var statistics: PictureStatistics { cursor.withLock { $0.statistics } }

  /// Decodes up to the next entry and appends it to ``entries``, which must have room.
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
