import Synchronization
import TesseraCodecs
import TesseraCompositor
import TesseraPixels
import TesseraPlan
import TesseraProof
import TesseraSystem

/// Sends each composed frame to the encoders of all segments that need it: one, or two at a joint.
/// Encodes on a thread of its own, one canvas at a time, while the next frame is composed.
///
/// The changed area of each composed canvas is copied to a second canvas. The thread retains the
/// stage until ``stop()``.
@safe final class EncodeStage: @unchecked Sendable {
  // Sendable, because the composing thread accesses canvas, number, tiles and encoders only while
  // the stage is idle, and the stage's thread only while it is not. Only the composing thread
  // accesses the segments.
  private let rendition: RenditionPlan
  private let make: (Int) throws(FFmpegError) -> SegmentEncoder
  /// The segments that have not started. `open` has the encoders of the segments that have.
  private var upcoming: Range<Int>
  private var open: [SegmentEncoder] = []

  private let canvas: Canvas
  private var number = 0
  private var tiles: [ProofTile] = []
  private var isSame = false
  private var encoders: [SegmentEncoder] = []
  private let isFull = Atomic<Bool>(false)
  private let isEnded = Atomic<Bool>(false)
  private let failure = Mutex<FFmpegError?>(nil)
  private let (filled, emptied) = (WakeSignal(), WakeSignal())
  private var threads: ThreadGroup?

  /// Creates a stage for consecutive `segments`. `make` opens the encoder of a segment.
  init(
    _ rendition: RenditionPlan, _ segments: Range<Int>,
    make: @escaping (Int) throws(FFmpegError) -> SegmentEncoder
  ) {
    (self.rendition, self.make, upcoming) = (rendition, make, segments)
    canvas = Canvas(size: rendition.plan.output.video.size)
    threads = ThreadGroup(count: 1, name: "encoder") { [self] in run() }
  }

  /// Submits the canvas `composed`, which is frame `frame` of the output and shows `tiles`.
  /// `damage` is the area that changed since the previous frame. Blocks until the previous frame is
  /// encoded.
  ///
  /// - Throws: `FFmpegError` if encoding an earlier frame failed.
  func submit(
    _ composed: borrowing Canvas, _ damage: borrowing CanvasDamage, frame: Int, _ tiles: [ProofTile]
  ) throws(FFmpegError) {
    if let segment = upcoming.first, rendition.encodedFrames(of: segment).contains(frame) {
      open.append(try make(segment))
      upcoming.removeFirst()
    }
    try drain()
    canvas.copy(damage, from: composed)
    (number, encoders) = (frame, open)
    (self.tiles, isSame) = (tiles, damage.isEmpty)
    isFull.store(true, ordering: .releasing)
    filled.wake()
  }

  /// Returns the segment whose last encoded frame is `frame`; nil if there is none.
  func segment(endingWith frame: Int) -> Int? {
    open.first { rendition.encodedFrames(of: $0.number).upperBound == frame + 1 }?.number
  }

  /// Finishes the file of `segment`, with `note` at its end.
  ///
  /// - Throws: `FFmpegError` if encoding or writing failed.
  func finish(_ segment: Int, _ note: SegmentReport) throws(FFmpegError) {
    try drain()
    try open.first { $0.number == segment }?.finish(note)
    open.removeAll { $0.number == segment }
  }

  /// Blocks until all submitted frames are encoded.
  ///
  /// - Throws: `FFmpegError` if encoding failed.
  private func drain() throws(FFmpegError) {
    emptied.wait { !isFull.load(ordering: .acquiring) }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Stops the encoding thread after its current frame.
  func stop() {
    isEnded.store(true, ordering: .releasing)
    filled.wake()
    threads?.join()
    threads = nil
  }

  private func run() {
    while true {
      filled.wait {
        isFull.load(ordering: .acquiring) || isEnded.load(ordering: .acquiring)
      }
      guard isFull.load(ordering: .acquiring) else { return }
      do throws(FFmpegError) {
        if failure.withLock({ $0 == nil }) {
          for encoder in encoders {
            try encoder.encode(canvas, frame: number, tiles, isSame: isSame)
          }
        }
      } catch {
        failure.withLock { $0 = error }
      }
      isFull.store(false, ordering: .releasing)
      emptied.wake()
    }
  }
}
