import Synchronization
import TesseraCodecs
import TesseraCompositor
import TesseraPixels
import TesseraPlan
import TesseraProof
import TesseraSystem

/// Hands each canvas to the encoders of all segments of which it is an encoded frame, two at a
/// joint, and encodes on a thread of its own, one canvas at a time, while the next one is composed.
///
/// A second canvas takes over what changed in the composed one. The thread holds the stage until
/// ``stop()``.
@safe final class EncodeStage: @unchecked Sendable {
  // Sendable because canvas, number, tiles and encoders are touched by the composing thread while
  // the stage is idle, and by its own while it is not; the segments by the composing thread alone.
  private let rendition: RenditionPlan
  private let make: (Int) throws(FFmpegError) -> SegmentEncoder
  /// The segments to come, and the encoders of those that are being encoded.
  private var upcoming: Range<Int>
  private var open: [SegmentEncoder] = []

  private let canvas: Canvas
  private var number = 0
  private var tiles: [MarkedTile] = []
  private var isSame = false
  private var encoders: [SegmentEncoder] = []
  private let isFull = Atomic<Bool>(false)
  private let isEnded = Atomic<Bool>(false)
  private let failure = Mutex<FFmpegError?>(nil)
  private let (filled, emptied) = (WakeSignal(), WakeSignal())
  private var threads: WorkerThreads?

  /// A stage for consecutive `segments`, which are encoded by what `make` returns for each.
  init(
    _ rendition: RenditionPlan, _ segments: Range<Int>,
    make: @escaping (Int) throws(FFmpegError) -> SegmentEncoder
  ) {
    (self.rendition, self.make, upcoming) = (rendition, make, segments)
    canvas = Canvas(size: rendition.plan.output.video.size)
    threads = WorkerThreads(count: 1, name: "encoder") { [self] in run() }
  }

  /// Hands on `composed`, which is the output's frame number `frame` and shows `tiles`; what
  /// `damage` says has changed since the one before. Waits until the one before is encoded.
  ///
  /// - Throws: what encoding an earlier one threw.
  func submit(
    _ composed: borrowing Canvas, _ damage: borrowing Damage, frame: Int, _ tiles: [MarkedTile]
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

  /// The segment for which `frame` is the last one that is encoded; nil where there is none.
  func segment(endingWith frame: Int) -> Int? {
    open.first { rendition.encodedFrames(of: $0.number).upperBound == frame + 1 }?.number
  }

  /// Lands the file of `segment`, with `note` at its end.
  ///
  /// - Throws: what encoding threw.
  func finish(_ segment: Int, _ note: SegmentNote) throws(FFmpegError) {
    try drain()
    try open.first { $0.number == segment }?.finish(note)
    open.removeAll { $0.number == segment }
  }

  /// Waits until everything is encoded.
  ///
  /// - Throws: what encoding threw.
  private func drain() throws(FFmpegError) {
    emptied.wait { !isFull.load(ordering: .acquiring) }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Ends the thread after what it has begun.
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
