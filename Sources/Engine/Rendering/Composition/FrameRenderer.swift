import TesseraCodecs
package import TesseraCompositor
package import TesseraPixels
package import TesseraPlan
package import TesseraSystem
package import TesseraTimeline

/// Composes frames of a plan: a pure function of a ``SegmentInput``, the frames' numbers and the
/// files. Decoders run on a pool of threads beside it.
package struct FrameRenderer: ~Copyable {
  /// What the frame looks like that was composed last.
  private(set) var composition: Composition
  private var feed: FrameFeed
  private let input: SegmentInput
  private let frames: FrameCut
  private let cancellation: Cancellation
  /// The place of the next frame among all.
  private var next = 0

  /// A renderer of those of `frames` that lie inside the plan's timeline.
  package init(
    _ plan: Plan, frames: FrameCut, kernels: Kernels = Kernels(),
    cancellation: Cancellation = Cancellation()
  ) {
    let frames = frames.clamped(to: 0..<plan.frameCount)
    let input = plan.input(for: frames)
    self.init(
      PictureSupply.Member(input: input, frames: frames.counted(from: input.origin)),
      kernels: kernels, cancellation: cancellation)
  }

  /// A renderer of what `member` is to show, with decoders of its own; `note` says what is being
  /// decoded.
  init(
    _ member: PictureSupply.Member, kernels: Kernels, note: CrashNote? = nil,
    cancellation: Cancellation
  ) {
    let supply = PictureSupply([member], note: note, cancellation: cancellation)
    self.init(member, number: 0, of: supply, kernels: kernels, cancellation: cancellation)
  }

  /// A renderer of what `member` is to show, the one with that number of `supply`.
  init(
    _ member: PictureSupply.Member, number: Int, of supply: PictureSupply, kernels: Kernels,
    cancellation: Cancellation
  ) {
    (input, frames, self.cancellation) = (member.input, member.frames, cancellation)
    feed = FrameFeed(member, number: number, of: supply)
    composition = Composition(input, kernels: kernels)
  }

  /// What became of the pictures of each track that is seen so far.
  package var reports: [TrackID: PictureReport] {
    Dictionary(
      uniqueKeysWithValues: feed.tallies(ofPart: 0).map { track, part in
        let rate = input.output.video.frameRate
        return (track.id, PictureReport(part, of: track.source, from: input.origin, at: rate))
      })
  }

  /// What the pictures of each track that is seen came to so far, in one part of the frames.
  func tallies(ofPart part: Int) -> [(track: SegmentInput.Track, PictureTally.Part)] {
    feed.tallies(ofPart: part)
  }

  /// The number in the plan of the frame that is composed next; nil after the last one.
  var upcoming: Int? { next < frames.count ? input.origin + frames[next] : nil }

  /// How many pixels were written in all.
  package var statistics: ComposeStatistics { composition.statistics }

  /// Composes the next frame and returns its number in the plan; nil after the last one and once
  /// cancelled.
  mutating func advance() -> Int? {
    feed.release()
    guard next < frames.count, !cancellation.isCancelled else { return nil }
    let frame = frames[next]
    next += 1
    if feed.advance(to: frame) { composition.invalidate() }
    guard !cancellation.isCancelled else { return nil }
    composition.compose(frame, feed.contents)
    return input.origin + frame
  }

  /// Composes the frames in order and gives each to `body` with its number; the canvas holds it
  /// during the call only.
  ///
  /// Returns early once it is cancelled.
  ///
  /// - Throws: what `body` throws.
  package mutating func run<E: Error>(
    _ body: (Int, borrowing Canvas) throws(E) -> Void
  ) throws(E) {
    while let frame = advance() { try body(frame, composition.canvas) }
  }
}
