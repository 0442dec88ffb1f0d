public import TesseraCompositor
import TesseraMedia
public import TesseraPixels
public import TesseraSystem

/// Composes frames of a plan: a pure function of the plan, the frames' numbers and the files.
/// Decoders run on a pool of threads beside it.
public struct FrameRenderer: ~Copyable {
  private let plan: Plan
  private let frames: FrameSelection
  private let kernels: Kernels
  private let tracks: [PictureTrack?]
  private let pool: DecoderPool
  private let cancellation: Cancellation
  /// How many pixels were written in all.
  public private(set) var statistics = ComposeStatistics()

  /// A renderer of those of `frames` that lie inside the plan's timeline.
  public init(
    _ plan: Plan, frames: FrameSelection, kernels: Kernels, cancellation: Cancellation
  ) {
    self.plan = plan
    self.frames = frames.clamped(to: 0..<plan.frameCount)
    self.kernels = kernels
    self.cancellation = cancellation
    let clamped = self.frames
    tracks = plan.participants.indices.map {
      PictureTrack(plan, participant: $0, frames: clamped, cancellation: cancellation)
    }
    pool = DecoderPool(tracks)
  }

  /// What became of each participant's pictures; nil for who has none.
  public var reports: [PictureReport?] { tracks.map { $0?.report } }

  /// Composes the frames in order and gives each to `body` with its number; the canvas holds it
  /// during the call only.
  ///
  /// Returns early once it is cancelled.
  ///
  /// - Throws: what `body` throws.
  public mutating func run<E: Error>(
    _ body: (Int, borrowing Canvas) throws(E) -> Void
  ) throws(E) {
    let pool = pool
    let threads = WorkerThreads(count: Self.decoderThreads(tracks), name: "decoder") { pool.run() }
    defer {
      pool.stop()
      threads.join()
    }
    var compositor = Compositor(kernels: kernels, filter: plan.output.filter)
    var canvas = Canvas(size: plan.output.video.size)
    var cast = Cast(plan)
    var stage = Stage(plan)
    for frame in frames {
      guard !cancellation.isCancelled else { return }
      let isRunning = pool.advance(
        to: frame, show: { cast.show($1, for: $0) }, end: { cast.end($1, for: $0) })
      guard isRunning else { return }
      cast.update(for: frame)
      stage.update(for: frame)
      statistics.add(compositor.compose(stage.scene, cast.contents, onto: &canvas))
      try body(frame, canvas)
    }
  }

  private static func decoderThreads(_ tracks: [PictureTrack?]) -> Int {
    max(1, min(Machine.cores, tracks.count { $0 != nil }))
  }
}

extension ComposeStatistics {
  fileprivate mutating func add(_ other: ComposeStatistics) {
    lumaPixels += other.lumaPixels
    chromaPixels += other.chromaPixels
    tilesRedrawn += other.tilesRedrawn
  }
}
