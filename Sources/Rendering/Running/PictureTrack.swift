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
    /// The packet of the last picture that was made.
    var last: Int?
    var report = PictureReport()
    /// What readers decoded and lost before the one in use.
    var earlier = (decoded: 0, losses: [MediaLoss]())

    /// How many frames were decoded in all.
    mutating func decodedCount() -> Int { earlier.decoded + (reader?.decodedCount ?? 0) }
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
      let first = lastShown(by: firstWanted).map(source.decodingStart)
      state.reader = try PictureReader.open(source, from: first, cancellation: cancellation)
      return nil
    } catch {
      state.report.losses.append("\(error)")
      return PictureQueue.End(lostFrom: frames.lowerBound)
    }
  }

  private func decode(_ state: inout State) -> Step {
    while let packet = state.reader?.next() {
      // A reader that had to begin further back comes to pictures again.
      if let last = state.last, !source.shows(last, before: packet) { continue }
      let frame = frames.first(from: frameRate.firstFrame(showing: source.time(of: packet)))
      guard frame < frames.upperBound else { break }
      guard let picture = state.reader?.makePicture() else { continue }
      state.last = packet
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

  /// Leaves out what need not be decoded for `frame`, where a keyframe allows it.
  private func skip(to frame: Int, _ state: inout State) {
    guard frames.hasGaps, let last = state.last,
      let first = lastShown(by: frame).map(source.decodingStart), first > last
    else { return }
    let earlier = (state.decodedCount(), state.earlier.losses + (state.reader?.losses ?? []))
    do {
      state.reader = try PictureReader.open(source, from: first, cancellation: cancellation)
      state.earlier = earlier
    } catch {
      // The one that is there goes on.
    }
  }

  /// The packet of the last picture that begins so early that `frame` shows it.
  private func lastShown(by frame: Int) -> Int? {
    source.lastShown { frameRate.firstFrame(showing: $0) <= frame }
  }

  private func shown(_ entry: PictureQueue.Entry, _ state: inout State) -> PictureQueue.Entry {
    state.report.shown += 1
    state.report.decoded = state.decodedCount()
    return entry
  }

  private func finish(_ state: inout State) -> PictureQueue.End {
    state.report.decoded = state.decodedCount()
    state.report.note(state.earlier.losses + (state.reader?.losses ?? []))
    state.reader = nil
    return PictureQueue.End(lostFrom: lostFrom(state.last))
  }

  /// The first frame whose picture should have been decoded but was not, where so much is missing
  /// that holding the last picture would deceive: half a second and more.
  private func lostFrom(_ last: Int?) -> Int? {
    guard let last else {
      let first = source.order.first.map { frameRate.firstFrame(showing: source.time(of: Int($0))) }
      return first ?? 0 < frames.upperBound ? max(first ?? 0, frames.lowerBound) : nil
    }
    guard let following = source.shown(after: last) else { return nil }
    let frame = frameRate.firstFrame(showing: source.time(of: following))
    let tolerance = frameRate.firstFrame(showing: MediaTime(nanoseconds: 500_000_000))
    return frame < frames.upperBound && presence.upperBound - frame >= tolerance ? frame : nil
  }
}
