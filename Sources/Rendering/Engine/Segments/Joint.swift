import TesseraCompositor
import TesseraMedia
import TesseraTimeline

extension WorkPlan {
  /// The frames on either side of a segment's beginning that are encoded with both segments; none
  /// where the output begins or ends.
  func joint(before number: Int) -> Range<Int> {
    guard number < segments.count else { return plan.frames.upperBound..<plan.frames.upperBound }
    let (first, video) = (segments[number].lowerBound, plan.output.video)
    return number > 0 ? (first - video.lead)..<(first + video.follow) : first..<first
  }

  /// The frames of a segment that lie in no joint.
  func body(of number: Int) -> Range<Int> {
    joint(before: number).upperBound..<joint(before: number + 1).lowerBound
  }

  /// All frames that are encoded for a segment.
  func encodedFrames(of number: Int) -> Range<Int> {
    joint(before: number).lowerBound..<joint(before: number + 1).upperBound
  }
}

/// What rendering a stretch of the timeline came to.
struct StretchOutcome {
  /// What became of each track's pictures.
  var pictures: [TrackID: PictureReport] = [:]
  /// Samples that were written onto the canvas.
  var pixelsWritten = 0

  static func + (a: StretchOutcome, b: StretchOutcome) -> StretchOutcome {
    StretchOutcome(
      pictures: a.pictures.merging(b.pictures, uniquingKeysWith: +),
      pixelsWritten: a.pixelsWritten + b.pixelsWritten)
  }

  /// Whether a file could not be read as it was when the plan was made.
  var isMakeshift: Bool { pictures.values.contains { $0.failure != nil || $0.losses.areOfChange } }
}

/// The canvases of a joint, kept for the segment that begins there.
final class RenderedJoint {
  let frames: Range<Int>
  /// What the joint was rendered without.
  let losses: [CrashLoss]
  /// What rendering it came to.
  var outcome = StretchOutcome()
  private var canvases: [Kept] = []

  private final class Kept {
    let canvas: Canvas

    init(_ canvas: consuming Canvas) { self.canvas = canvas }
  }

  /// The joint of `frames`, without canvases yet.
  init(_ frames: Range<Int>, losses: [CrashLoss]) { (self.frames, self.losses) = (frames, losses) }

  /// Adds the next frame's canvas.
  func append(_ canvas: borrowing Canvas) {
    let copy = Canvas(size: canvas.size)
    copy.copy(canvas.wholeDamage, from: canvas)
    canvases.append(Kept(copy))
  }

  /// Calls `body` with each frame's number and canvas, in order.
  func forEach<E: Error>(_ body: (Int, borrowing Canvas) throws(E) -> Void) throws(E) {
    for (frame, kept) in zip(frames, canvases) { try body(frame, kept.canvas) }
  }
}
