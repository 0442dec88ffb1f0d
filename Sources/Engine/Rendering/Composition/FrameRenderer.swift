import TesseraCodecs
package import TesseraCompositor
package import TesseraPixels
package import TesseraPlan
package import TesseraSystem
package import TesseraTimeline

/// Composes frames of a plan: a pure function of a ``SegmentInput``, the frame numbers and the
/// media files. Decoders run beside it on a pool of threads.
package struct FrameRenderer: ~Copyable {
  /// The composition, whose canvas is the last composed frame.
  private(set) var composition: FrameComposer
  private var feed: PictureFeed
  private let input: SegmentInput
  private let frames: FrameSelection
  private let cancellation: Cancellation
  /// The index of the next frame in ``frames``.
  private var next = 0

  /// Creates a renderer of those `frames` that are inside the plan's timeline.
  package init(
    _ plan: Plan, frames: FrameSelection, kernels: PixelKernels = PixelKernels(),
    cancellation: Cancellation = Cancellation()
  ) {
    let frames = frames.clamped(to: 0..<plan.frameCount)
    let input = plan.input(for: frames)
    self.init(
      PictureDecodePool.DecodeRequest(input: input, frames: frames.counted(from: input.origin)),
      kernels: kernels, cancellation: cancellation)
  }

  /// Creates a renderer for `member` with decoders of its own. `note` records what they decode.
  init(
    _ member: PictureDecodePool.DecodeRequest, kernels: PixelKernels, note: CrashNote? = nil,
    cancellation: Cancellation
  ) {
    let pool = PictureDecodePool([member], note: note, cancellation: cancellation)
    self.init(member, number: 0, of: pool, kernels: kernels, cancellation: cancellation)
  }

  /// Creates a renderer for `member`, which has index `number` in `pool`.
  init(
    _ member: PictureDecodePool.DecodeRequest, number: Int, of pool: PictureDecodePool,
    kernels: PixelKernels,
    cancellation: Cancellation
  ) {
    (input, frames, self.cancellation) = (member.input, member.frames, cancellation)
    feed = PictureFeed(member, number: number, of: pool)
    composition = FrameComposer(input, kernels: kernels)
  }

  /// For each track, the result of decoding its pictures so far.
  package var reports: [TrackID: PictureReport] {
    Dictionary(
      uniqueKeysWithValues: feed.tallies(ofPart: 0).map { track, part in
        let rate = input.output.video.frameRate
        return (track.id, PictureReport(part, of: track.source, from: input.origin, at: rate))
      })
  }

  /// Returns the decoding results of each track so far, for one part of the frames.
  func tallies(ofPart part: Int) -> [(track: SegmentInput.Track, PictureStatistics.TimelinePart)] {
    feed.tallies(ofPart: part)
  }

  /// The number in the plan of the frame that is composed next; nil after the last one.
  var upcoming: Int? { next < frames.count ? input.origin + frames[next] : nil }

  /// Number of pixels that were written in all frames.
  package var statistics: ComposeStatistics { composition.statistics }

  /// Composes the next frame and returns its number in the plan; nil after the last frame, or if it
  /// is canceled.
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

  /// Composes all frames in order and calls `body` with each number and canvas. The canvas is only
  /// valid during the call.
  ///
  /// Returns early if it is canceled.
  ///
  /// - Throws: errors of `body`.
  package mutating func run<E: Error>(
    _ body: (Int, borrowing Canvas) throws(E) -> Void
  ) throws(E) {
    while let frame = advance() { try body(frame, composition.canvas) }
  }
}
