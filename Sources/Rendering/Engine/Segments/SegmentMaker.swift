import TesseraCompositor
import TesseraMedia
import TesseraPixels
import TesseraSystem
import TesseraTimeline

/// Makes segments of pictures, one after the other.
///
/// A segment is rendered in stretches: the joint with the segment before, what is its own alone, and
/// the joint with the one after. What a stretch shows follows from the plan alone, so that a joint
/// need not be rendered twice by whoever makes both segments.
struct SegmentMaker {
  private let work: WorkPlan
  private let folder: WorkFolder
  private let kernels: Kernels
  private let isStrict: Bool
  private let note: CrashNote?
  private let cancellation: Cancellation
  private let shelf = ReaderShelf()
  /// What is rendered of the segments, with what it is made without.
  private var input: (SegmentInput, losses: [CrashLoss])?
  private let numbers: Range<Int>
  /// The joint with the segment after the one that was made last.
  private var joint: RenderedJoint?

  /// What makes the segments `numbers` of `work` and puts them into `folder`, as ``JobPerformer``
  /// does.
  init(
    _ numbers: Range<Int>, of work: WorkPlan, folder: WorkFolder, kernels: Kernels, isStrict: Bool,
    note: CrashNote?,
    cancellation: Cancellation
  ) {
    (self.numbers, self.work, self.folder, self.kernels) = (numbers, work, folder, kernels)
    (self.isStrict, self.note, self.cancellation) = (isStrict, note, cancellation)
  }

  /// Makes segment `number`, but for one that is there; where it `isFollowed`, the next one is made
  /// after it.
  mutating func make(
    _ number: Int, isFollowed: Bool, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    let losses = folder.losses(of: number)
    let digest = work.digest(of: number, losses: losses)
    let earlier = joint.take()
    guard !folder.hasSegment(number, digest: digest) else {
      events(.finished(segment: number))
      return
    }
    let path = folder.segmentPath(number)
    var refused: Loss?
    do throws(FFmpegError) {
      let encoder = try SegmentEncoder(
        work.plan.output.video, work.place(of: number), first: work.plan.frames.lowerBound,
        digest: digest, path: path)
      let stage = EncodeStage(
        size: work.plan.output.video.size
      ) { canvas, frame throws(FFmpegError) in
        try encoder.encode(canvas, frame: frame)
      }
      defer { stage.stop() }
      let before = try begin(with: earlier, number, losses, stage)
      var pace = Pace(segment: number, events: events)
      let own = try render(work.body(of: number), losses, stage) { _, _ in pace.count() }
      let after = work.joint(before: number + 1)
      let next = isFollowed && !after.isEmpty ? RenderedJoint(after, losses: losses) : nil
      let end = try render(after, losses, stage) { frame, canvas in
        next?.append(canvas)
        pace.count()
      }
      guard !cancellation.isCancelled else { return }
      try stage.finish()
      pace.flush()
      next?.outcome = end
      joint = next
      let made = own + end
      let found = work.plan.tracks.flatMap { made.pictures[$0.id]?.losses(of: $0) ?? [] }
      if !isStrict || found.isEmpty {
        try encoder.finish(
          SegmentNote(
            pictures: made.pictures, pixelsWritten: made.pixelsWritten, crashes: losses,
            isMakeshift: (made + before).isMakeshift))
      } else {
        refused = found[0]
      }
    } catch {
      throw RenderError(error, output: path)
    }
    if let refused { throw .refusing(refused) }
    events(.finished(segment: number))
  }

  /// Encodes the joint with the segment before, as it was rendered for that one, or rendered again.
  private mutating func begin(
    with earlier: RenderedJoint?, _ number: Int, _ losses: [CrashLoss], _ stage: EncodeStage
  ) throws(FFmpegError) -> StretchOutcome {
    let frames = work.joint(before: number)
    guard let earlier, earlier.frames == frames, earlier.losses == losses else {
      return try render(frames, losses, stage) { _, _ in }
    }
    try earlier.forEach { frame, canvas throws(FFmpegError) in
      try stage.submit(canvas, canvas.wholeDamage, number: frame)
    }
    return earlier.outcome
  }

  private mutating func render(
    _ frames: Range<Int>, _ losses: [CrashLoss], _ stage: EncodeStage,
    _ body: (Int, borrowing Canvas) -> Void
  ) throws(FFmpegError) -> StretchOutcome {
    guard !frames.isEmpty, !cancellation.isCancelled else { return StretchOutcome() }
    var renderer = FrameRenderer(
      input(without: losses), frames: FrameSelection(frames), kernels: kernels, shelf: shelf,
      note: note, cancellation: cancellation)
    try renderer.run { frame, canvas, damage throws(FFmpegError) in
      try stage.submit(canvas, damage, number: frame)
      body(frame, canvas)
    }
    return StretchOutcome(
      pictures: renderer.reports,
      pixelsWritten: renderer.statistics.lumaPixels + renderer.statistics.chromaPixels)
  }

  /// What all the segments are made from, without what `losses` take away.
  private mutating func input(without losses: [CrashLoss]) -> SegmentInput {
    if let input, input.losses == losses { return input.0 }
    let frames =
      work.encodedFrames(of: numbers.lowerBound)
      .lowerBound..<work.encodedFrames(
        of: numbers.upperBound - 1
      ).upperBound
    let made = work.plan.input(for: frames, without: losses)
    input = (made, losses)
    return made
  }
}

/// Tells now and then how many frames are done.
private struct Pace {
  let segment: Int
  let events: @Sendable (JobEvent) -> Void
  private let clock = ContinuousClock()
  private var start: ContinuousClock.Instant
  private var frames = 0

  init(segment: Int, events: @escaping @Sendable (JobEvent) -> Void) {
    (self.segment, self.events) = (segment, events)
    start = clock.now
  }

  mutating func count() {
    frames += 1
    if frames % 8 == 0, clock.now - start > .milliseconds(200) { flush() }
  }

  mutating func flush() {
    let now = clock.now
    events(.advanced(segment: segment, frames: frames, seconds: (now - start) / .seconds(1)))
    (start, frames) = (now, 0)
  }
}
