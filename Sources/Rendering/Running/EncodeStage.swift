import Synchronization
import TesseraCompositor
import TesseraMedia
import TesseraPixels
import TesseraSystem

/// Encodes canvases on a thread of its own, one at a time, while the next one is composed.
///
/// It keeps a second canvas: what is composed is copied into it as far as it changed.
@safe final class EncodeStage: @unchecked Sendable {
  // Sendable because canvas and number are touched by the composing thread while the stage is
  // idle, and by its own while it is not.
  private let canvas: Canvas
  private var number = 0
  private let isFull = Atomic<Bool>(false)
  private let isEnded = Atomic<Bool>(false)
  private let failure = Mutex<FFmpegError?>(nil)
  private let (filled, emptied) = (WakeSignal(), WakeSignal())
  private var threads: WorkerThreads?

  /// A stage that gives every canvas of `size` to `encode`, with its number.
  init(
    size: PixelSize,
    encode: @escaping @Sendable (borrowing Canvas, Int) throws(FFmpegError) -> Void
  ) {
    canvas = Canvas(size: size)
    threads = WorkerThreads(count: 1, name: "encoder") { [self] in run(encode) }
  }

  /// Hands `composed` over as frame `number`; what `damage` says has changed since the one before.
  /// Waits until the one before is encoded.
  ///
  /// - Throws: what encoding an earlier one threw.
  func submit(
    _ composed: borrowing Canvas, _ damage: borrowing Damage, number: Int
  ) throws(FFmpegError) {
    emptied.wait { !isFull.load(ordering: .acquiring) }
    if let failure = failure.withLock({ $0 }) { throw failure }
    canvas.copy(damage, from: composed)
    self.number = number
    isFull.store(true, ordering: .releasing)
    filled.wake()
  }

  /// Waits until everything is encoded and ends the thread.
  ///
  /// - Throws: what encoding threw.
  func finish() throws(FFmpegError) {
    stop()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Ends the thread after what it has begun. May be called again.
  func stop() {
    isEnded.store(true, ordering: .releasing)
    filled.wake()
    threads?.join()
    threads = nil
  }

  private func run(_ encode: (borrowing Canvas, Int) throws(FFmpegError) -> Void) {
    while true {
      filled.wait {
        isFull.load(ordering: .acquiring) || isEnded.load(ordering: .acquiring)
      }
      guard isFull.load(ordering: .acquiring) else { return }
      do throws(FFmpegError) {
        if failure.withLock({ $0 == nil }) { try encode(canvas, number) }
      } catch {
        failure.withLock { $0 = error }
      }
      isFull.store(false, ordering: .releasing)
      emptied.wake()
    }
  }
}
