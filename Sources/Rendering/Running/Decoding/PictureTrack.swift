import Synchronization
import TesseraMedia
import TesseraPixels
import TesseraSystem
import TesseraTimeline

/// Decodes one track for the frames in which it is seen, ahead of their being composed.
///
/// One decoding thread at a time runs ``advance()``; the composing thread takes pictures out of
/// ``pictures`` and looks at ``due``, neither with a lock.
final class PictureTrack: Sendable {
  /// A picture and the first frame that shows it.
  struct Entry: Sendable {
    var frame: Int
    var picture: Picture
  }

  let id: TrackID
  /// What is decoded and not shown yet, and what is being shown.
  let pictures = HandoffRing<Entry>(capacity: PictureTrack.capacity)
  /// Wakes the composing thread.
  let signal = WakeSignal()

  /// Two pictures ahead of the one that is being shown.
  private static let capacity = 3
  /// Holding the last picture for longer would deceive.
  static let longestHold = MediaTime(nanoseconds: 500_000_000)

  private let track: SegmentInput.Track
  private let frameRate: FrameRate
  private let windows: [Window]
  /// The first frame after the last window in which the track is wanted, by whoever renders it.
  private let following: Int?
  private let shelf: ReaderShelf?
  private let note: TrackNote?
  private let cancellation: Cancellation
  private let dueFrame: Atomic<Int>
  private let lostFrame = Atomic<Int>(.max)
  private let state = Mutex(State())

  /// Frames in a row for which the track is decoded.
  private struct Window {
    var frames: Range<Int>
    /// Whether the track is seen in the frame before, which somebody else renders.
    var isContinued: Bool
    /// Whether its frames are rendered by somebody else.
    var isForeign: Bool
  }

  private struct State: ~Copyable {
    var reader: PictureReader?
    /// The packet that the reader was asked to begin with.
    var start: Int?
    /// The window that is being decoded for.
    var window = 0
    /// The next picture to come out of the decoder; nil before the window's first.
    var next: Int?
    /// The picture that was put last, by its number and as it is.
    var last: Int?
    var lastPicture: Picture?
    /// How many frames of the reader's were decoded for somebody else.
    var foreign = 0
    /// The last picture before the window that came out, by its number; the reader keeps it, unless
    /// it comes from the shelf.
    var kept: Int?
    var keptPicture: Picture?
    /// The packet of the picture that came out last, where it was not its turn yet.
    var replay: Int?
    var report = PictureReport()
    /// Pictures that came after ones that are shown later.
    var late = 0
    /// What readers decoded and lost before the one in use.
    var earlier = (decoded: 0, losses: [MediaLoss]())
  }

  /// `track` in those of `frames` in which it is seen, and before the frame from which it is lost
  /// whatever could be read.
  ///
  /// Where there is a `shelf`, `frames` are a stretch of a timeline: the decoder there goes on and is
  /// put back in the end, and what comes before the stretch is counted, and reported as lost, by
  /// whoever renders that.
  init(
    _ track: SegmentInput.Track, frames: FrameSelection, frameRate: FrameRate,
    shelf: ReaderShelf? = nil, note: TrackNote? = nil, cancellation: Cancellation
  ) {
    id = track.id
    self.track = track
    self.frameRate = frameRate
    self.shelf = shelf
    self.note = note
    self.cancellation = cancellation
    let (ranges, lost) = (frames.ranges, track.lostFrom ?? .max)
    windows = track.windows(in: ranges).intersection([.min..<lost]).map { window in
      Window(
        frames: window,
        isContinued: shelf != nil
          && track.wanted.contains {
            $0.contains(window.lowerBound - 1) && $0.contains(window.lowerBound)
          },
        isForeign: shelf != nil && !ranges.contains { $0.contains(window.lowerBound) })
    }
    following = track.windows(in: [frames.upperBound..<Int.max]).first?.lowerBound
    dueFrame = Atomic(windows.first?.frames.lowerBound ?? .max)
    lostFrame.store(lost, ordering: .relaxed)
  }

  /// The first frame for which ``pictures`` may lack something; `Int.max` where nothing more comes.
  var due: Int { dueFrame.load(ordering: .acquiring) }

  /// The first frame whose picture should have been decoded but was not, so that the track is lost
  /// from there on; `Int.max` where it is not.
  var lostFrom: Int { lostFrame.load(ordering: .acquiring) }

  /// What was decoded and lost so far.
  var report: PictureReport {
    state.withLock { state in
      var report = state.report
      report.decoded = state.earlier.decoded + Self.decodedCount(&state)
      report.losses = state.earlier.losses.merged(with: state.reader?.losses ?? [])
      if state.late > 0 {
        // Damaged pictures come with any number.
        let cause: MediaLoss.Cause =
          report.losses.isEmpty ? .latePictures(state.late) : .damagedPictures(state.late)
        report.losses = report.losses.merged(with: [MediaLoss(cause, track.source.track.stream)])
      }
      return report
    }
  }

  private static func decodedCount(_ state: inout State) -> Int {
    (state.reader?.decodedCount ?? state.foreign) - state.foreign
  }

  /// Decodes until a picture was put or nothing is due soon. ``pictures`` has room.
  func advance() {
    state.withLock { state in
      note?.enter(frame: dueFrame.load(ordering: .relaxed), at: frameRate)
      step(&state)
      note?.leave()
    }
    signal.wake()
  }

  private func step(_ state: inout State) {
    let route = track.route
    guard route.count > 0 else { return finish(&state) }
    guard state.window < windows.count else { return finish(&state) }
    let window = windows[state.window].frames
    if state.window == 0, state.next == nil, goOn(window, route, &state) { return }
    if state.next == nil, !enter(window, route, &state) { return }
    decode(window, route, &state)
  }

  /// Takes over the decoder that was left on the shelf, if it stands where it is needed; true where
  /// that has put the window's first picture at once.
  private func goOn(_ window: Range<Int>, _ route: PictureRoute, _ state: inout State) -> Bool {
    guard let shelved = shelf?.take(id), var reader = shelved.take() else { return false }
    let first = route.picture(shownIn: window.lowerBound)
    guard shelved.last <= first,
      shelved.last == first || route.frame(of: first) < window.upperBound,
      isAsFresh(reader, from: shelved.start, last: shelved.last, first, route)
    else { return false }
    reader.forgetLosses()
    (state.foreign, state.start, state.replay) = (
      reader.decodedCount, shelved.start, shelved.replay
    )
    state.reader = consume reader
    guard shelved.last == first else {
      (state.kept, state.keptPicture) = (shelved.last, shelved.picture)
      return false
    }
    put(shelved.picture, number: first, in: window, route, &state)
    state.next = first + 1
    if route.frame(of: first + 1) < window.upperBound {
      dueFrame.store(route.frame(of: first + 1), ordering: .releasing)
    } else {
      leave(route, &state)
    }
    return true
  }

  /// Whether `reader`, which began with packet `start` and has put out picture `last`, goes on to
  /// picture `first` as a new one would come to it, and in no more steps.
  ///
  /// After damage only one that would begin with the same packet sees the same.
  private func isAsFresh(
    _ reader: borrowing PictureReader, from start: Int, last: Int, _ first: Int,
    _ route: PictureRoute
  ) -> Bool {
    let fresh = route.start(toShow: first)
    return start == fresh || (reader.isWhole && (last == first || reader.hasPassed(fresh)))
  }

  /// Brings the reader to where the window's first picture can be decoded; false where it failed.
  private func enter(_ window: Range<Int>, _ route: PictureRoute, _ state: inout State) -> Bool {
    let first = route.picture(shownIn: window.lowerBound)
    if let last = state.last, first <= last {
      state.next = last + 1
      return true
    }
    state.next = first
    guard route.frame(of: first) < window.upperBound else { return true }
    let start = route.start(toShow: first)
    if state.start == start || state.reader?.hasPassed(start) == true { return true }
    close(&state)
    do {
      state.reader = try PictureReader.open(track.source, from: start, cancellation: cancellation)
      state.start = start
      return true
    } catch {
      state.report.failure = "\(error)"
      lose(from: window.lowerBound, &state)
      return false
    }
  }

  /// Puts the next picture of `window`, or leaves it where it has no more.
  private func decode(
    _ window: Range<Int>, _ route: PictureRoute, _ state: inout State
  ) {
    guard let next = state.next else { return }
    var number = next
    while route.frame(of: number) < window.upperBound {
      guard let packet = state.replay.take() ?? state.reader?.next() else {
        if putKept(in: window, route, &state) { return }
        return loseRest(from: number, window, route, &state)
      }
      guard let found = route.picture(of: packet) else { continue }
      if found < number {
        if let last = state.last, last >= route.picture(shownIn: window.lowerBound) {
          state.late += 1
        }
        state.reader?.keep()
        (state.kept, state.keptPicture) = (found, nil)
        if windows[state.window].isContinued, state.last == nil { state.reader?.forgetLosses() }
        continue
      }
      if route.frame(of: found) > window.lowerBound, putKept(in: window, route, &state) {
        state.replay = packet
        return
      }
      // What should have come is missing, and this one belongs to a later window or to none.
      guard route.frame(of: found) < window.upperBound else {
        state.replay = packet
        break
      }
      number = found + 1
      guard !route.isSkipped(found), let picture = state.reader?.makePicture() else { continue }
      put(picture, number: found, in: window, route, &state)
      state.next = number
      let following = route.frame(of: number)
      guard following < window.upperBound else { break }
      return dueFrame.store(following, ordering: .releasing)
    }
    leave(route, &state)
  }

  private func put(
    _ picture: Picture, number: Int, in window: Range<Int>, _ route: PictureRoute,
    _ state: inout State
  ) {
    let frame = route.frame(of: number)
    pictures.put(Entry(frame: max(frame, window.lowerBound), picture: picture))
    let isOwn = frame >= window.lowerBound || !windows[state.window].isContinued
    if isOwn, !windows[state.window].isForeign { state.report.shown += 1 }
    (state.last, state.lastPicture) = (number, picture)
    (state.kept, state.keptPicture) = (nil, nil)
  }

  /// Puts the last picture before the window where the one that should be shown first did not come.
  private func putKept(
    in window: Range<Int>, _ route: PictureRoute, _ state: inout State
  ) -> Bool {
    guard let kept = state.kept.take(), kept > state.last ?? -1,
      let picture = state.keptPicture.take() ?? state.reader?.makeKeptPicture()
    else { return false }
    put(picture, number: kept, in: window, route, &state)
    return true
  }

  /// Goes on to the next window, and lets go of the decoder where that one begins elsewhere.
  private func leave(_ route: PictureRoute, _ state: inout State) {
    state.window += 1
    (state.next, state.kept, state.keptPicture) = (nil, nil, nil)
    guard state.window < windows.count else { return finish(&state) }
    let following = windows[state.window].frames
    let first = route.picture(shownIn: following.lowerBound)
    if first > state.last ?? -1, state.reader?.hasPassed(route.start(toShow: first)) != true {
      close(&state)
    }
    dueFrame.store(following.lowerBound, ordering: .releasing)
  }

  private func finish(_ state: inout State) {
    shelve(&state)
    close(&state)
    state.window = windows.count
    dueFrame.store(.max, ordering: .releasing)
  }

  /// Leaves the decoder to whoever goes on with the next frames, where it goes on as a new one would.
  private func shelve(_ state: inout State) {
    guard let shelf, let last = state.last, let picture = state.lastPicture,
      let start = state.start, !cancellation.isCancelled, lostFrom == .max, let following
    else { return }
    let route = track.route
    let first = route.picture(shownIn: following)
    guard let reader = state.reader.take() else { return }
    guard isAsFresh(reader, from: start, last: last, first, route) else {
      state.reader = consume reader
      return
    }
    state.earlier = (
      state.earlier.decoded + reader.decodedCount - state.foreign,
      state.earlier.losses.merged(with: reader.losses)
    )
    state.foreign = 0
    shelf.put(
      ReaderShelf.Kept(
        reader, from: start, last: last, picture: picture, replay: state.replay.take()),
      for: id)
  }

  private func close(_ state: inout State) {
    state.earlier = (
      state.earlier.decoded + Self.decodedCount(&state),
      state.earlier.losses.merged(with: state.reader?.losses ?? [])
    )
    state.foreign = 0
    state.reader = nil
    (state.start, state.replay) = (nil, nil)
  }

  private func lose(from frame: Int, _ state: inout State) {
    lostFrame.store(frame, ordering: .releasing)
    finish(&state)
  }

  /// Nothing more comes, although picture `number` should have.
  private func loseRest(
    from number: Int, _ window: Range<Int>, _ route: PictureRoute, _ state: inout State
  ) {
    guard !cancellation.isCancelled else { return finish(&state) }
    let frame = max(route.frame(of: number), window.lowerBound)
    let hold = frameRate.firstFrame(showing: Self.longestHold)
    if track.end - frame >= hold { lose(from: frame, &state) } else { finish(&state) }
  }
}
