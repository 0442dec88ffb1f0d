import Synchronization
import TesseraCompositor
import TesseraMedia
import TesseraPixels
import TesseraPlan
import TesseraProof
import TesseraSystem

/// Encodes canvases on a thread of its own, one at a time, while the next one is composed.
///
/// It keeps a second canvas: what is composed is copied into it as far as it changed.
@safe final class EncodeStage: @unchecked Sendable {
  // Sendable because canvas, number and encoders are touched by the composing thread while the
  // stage is idle, and by its own while it is not.
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

  /// A stage for canvases of `size`.
  init(size: PixelSize) {
    canvas = Canvas(size: size)
    threads = WorkerThreads(count: 1, name: "encoder") { [self] in run() }
  }

  /// Hands `composed`, which shows `tiles`, over to `encoders` as frame `number`; what `damage` says has changed since
  /// the one before. Waits until the one before is encoded.
  ///
  /// - Throws: what encoding an earlier one threw.
  func submit(
    _ composed: borrowing Canvas, _ damage: borrowing Damage, number: Int,
    _ tiles: [MarkedTile], to encoders: [SegmentEncoder]
  ) throws(FFmpegError) {
    try drain()
    canvas.copy(damage, from: composed)
    (self.number, self.encoders) = (number, encoders)
    (self.tiles, isSame) = (tiles, damage.isEmpty)
    isFull.store(true, ordering: .releasing)
    filled.wake()
  }

  /// Waits until everything is encoded.
  ///
  /// - Throws: what encoding threw.
  func drain() throws(FFmpegError) {
    emptied.wait { !isFull.load(ordering: .acquiring) }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Ends the thread after what it has begun. May be called again.
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
