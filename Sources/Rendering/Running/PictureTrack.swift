import Synchronization
import TesseraMedia
import TesseraPixels
import TesseraSystem
import TesseraTimeline

/// Decodes one participant's pictures for some frames, ahead of their being shown.
///
/// Only one thread at a time runs ``advance()``; which one may change.
final class PictureTrack: Sendable {
  private let source: PictureSource
  private let frames: FrameSelection
  private let presence: Range<Int>
  private let frameRate: FrameRate
  private let firstWanted: Int
  private let cancellation: Cancellation
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var reader: PictureReader?
    /// The last decoded picture; it is shown unless one for the same frame follows.
    var pending: PictureQueue.Entry?
    /// Pictures that are not shown, because later ones came before them.
    var lateCount = 0
    var lastTime: MediaTime?
    var report = PictureReport()
    /// What readers decoded and lost before the one in use.
    var earlier = (decoded: 0, losses: StreamLosses())
    /// The reader that was in use before ``skip(to:_:)``, until the one that went on from a
    /// keyframe shows its picture: without it, those that follow are other ones than in a row.
    var before: PictureReader?
    /// When that picture begins.
    var keyframeTime = MediaTime.zero

    /// How many frames were decoded in all.
    mutating func decodedCount() -> Int { earlier.decoded + (reader?.decodedCount ?? 0) }

    mutating func forgetReaderBefore() {
      earlier = (
        earlier.decoded + (before?.decodedCount ?? 0),
        earlier.losses + (before?.losses ?? StreamLosses())
      )
      before = nil
    }

    mutating func goBack() { reader = before.take() }
  }

  /// The pictures of participant number `index` of `plan` that are shown in `frames`; nil for who
  /// has none.
  init?(_ plan: Plan, participant index: Int, frames: FrameSelection, cancellation: Cancellation) {
    let participant = plan.participants[index]
    guard let pictures = participant.pictures else { return nil }
    let visibility = plan.visibility(of: index)
    self.source = pictures.source
    self.presence = participant.presence
    self.frames = frames.clamped(to: visibility)
    self.frameRate = plan.output.video.frameRate
    // Who is seen from the first picture on is read from there, damage before it included.
    let isSeenLater = visibility.lowerBound > presence.lowerBound
    firstWanted = isSeenLater ? self.frames.lowerBound : frames.lowerBound
    self.cancellation = cancellation
  }

  /// What was decoded and lost so far.
  var report: PictureReport { state.withLock { $0.report } }

  /// What one step came to.
  enum Step {
    case picture(PictureQueue.Entry)
    case end(PictureQueue.End)
  }

  /// Decodes on until a picture is known to be shown, or the end.
  func advance() -> Step {
    state.withLock { state in
      guard !frames.isEmpty else { return .end(PictureQueue.End()) }
      if state.reader == nil, let end = open(&state) { return .end(end) }
      return decode(&state)
    }
  }

  private func open(_ state: inout State) -> PictureQueue.End? {
    do {
      state.reader = try PictureReader.open(
        source, keyframe: source.firstKeyframe(for: lastTime(shownBy: firstWanted)),
        cancellation: cancellation)
      return nil
    } catch {
      state.report.losses.append("\(error)")
      return PictureQueue.End(lostFrom: frames.lowerBound)
    }
  }

  private func decode(_ state: inout State) -> Step {
    while let time = next(&state) {
      let frame = frames.first(from: frameRate.firstFrame(showing: time))
      if state.before != nil {
        guard time == state.keyframeTime else {
          state.goBack()
          continue
        }
        state.forgetReaderBefore()
      }
      guard frame < frames.upperBound else { break }
      guard frame >= state.pending?.frame ?? frame else {
        state.lateCount += 1
        continue
      }
      guard let picture = state.reader?.makePicture() else { continue }
      state.lastTime = time
      let previous = state.pending
      state.pending = PictureQueue.Entry(frame: frame, picture: picture)
      guard let previous, previous.frame < frame else { continue }
      skip(to: frame, &state)
      return .picture(shown(previous, &state))
    }
    if let last = state.pending {
      state.pending = nil
      return .picture(shown(last, &state))
    }
    return .end(finish(&state))
  }

  /// Goes on to the next frame that a reader puts out; nil after the last one.
  private func next(_ state: inout State) -> MediaTime? {
    if let time = state.reader?.next() { return time }
    guard state.before != nil else { return nil }
    state.goBack()
    return state.reader?.next()
  }

  /// Leaves out what need not be decoded for `frame`, where a keyframe allows it.
  private func skip(to frame: Int, _ state: inout State) {
    guard frames.hasGaps, !source.index.isChained, let last = state.lastTime else { return }
    let keyframe = source.firstKeyframe(for: lastTime(shownBy: frame))
    guard keyframe > 0, source.time(ofKeyframe: keyframe) > last else { return }
    state.before = state.reader.take()
    do {
      state.reader = try PictureReader.open(
        source, keyframe: keyframe, cancellation: cancellation)
      state.keyframeTime = source.time(ofKeyframe: keyframe)
    } catch {
      state.goBack()
    }
  }

  /// The last time at which a picture can begin that `frame` shows.
  private func lastTime(shownBy frame: Int) -> MediaTime {
    // What frame k shows lies before (k + ½) / rate.
    let following = frameRate.time(ofFrame: 2 * frame + 1).nanoseconds / 2
    return MediaTime(nanoseconds: following - 1)
  }

  private func shown(_ entry: PictureQueue.Entry, _ state: inout State) -> PictureQueue.Entry {
    state.report.shown += 1
    state.report.decoded = state.decodedCount()
    return entry
  }

  private func finish(_ state: inout State) -> PictureQueue.End {
    state.report.decoded = state.decodedCount()
    state.report.note(state.earlier.losses + (state.reader?.losses ?? StreamLosses()))
    state.report.noteLate(state.lateCount)
    state.reader = nil
    return PictureQueue.End(lostFrom: lostFrom(state.lastTime))
  }

  /// The first frame whose picture should have been decoded but was not, where so much is missing
  /// that holding the last picture would deceive: half a second and more.
  private func lostFrom(_ lastTime: MediaTime?) -> Int? {
    guard let lastTime else {
      let first = source.firstTime.map { frameRate.firstFrame(showing: $0) } ?? 0
      return first < frames.upperBound ? max(first, frames.lowerBound) : nil
    }
    guard let following = source.firstTime(after: lastTime) else { return nil }
    let frame = frameRate.firstFrame(showing: following)
    let tolerance = frameRate.firstFrame(showing: MediaTime(nanoseconds: 500_000_000))
    return frame < frames.upperBound && presence.upperBound - frame >= tolerance ? frame : nil
  }
}
