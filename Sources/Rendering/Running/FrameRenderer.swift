public import TesseraCompositor
import TesseraMedia
public import TesseraPixels
public import TesseraSystem
import TesseraTimeline

/// Composes frames of a plan: a pure function of a ``SegmentInput``, the frames' numbers and the files.
/// Decoders run on a pool of threads beside it.
public struct FrameRenderer: ~Copyable {
  private let input: SegmentInput
  private let frames: FrameSelection
  private let kernels: Kernels
  private let tracks: [PictureTrack]
  private let cancellation: Cancellation
  /// How many pixels were written in all.
  public private(set) var statistics = ComposeStatistics()

  /// A renderer of those of `frames` that lie inside the plan's timeline.
  public init(
    _ plan: Plan, frames: FrameSelection, kernels: Kernels, cancellation: Cancellation
  ) {
    let frames = frames.clamped(to: 0..<plan.frameCount)
    self.init(
      plan.input(for: frames.lowerBound..<frames.upperBound), frames: frames, kernels: kernels,
      cancellation: cancellation)
  }

  /// A renderer of those of `frames`, which are numbered as in the plan, that lie inside `input`. The
  /// decoders on the `shelf` go on.
  init(
    _ input: SegmentInput, frames: FrameSelection, kernels: Kernels, shelf: ReaderShelf? = nil,
    note: CrashNote? = nil, cancellation: Cancellation
  ) {
    self.input = input
    let frames = frames.counted(from: input.origin).clamped(to: 0..<input.count)
    self.frames = frames
    self.kernels = kernels
    self.cancellation = cancellation
    tracks = input.tracks.map { track in
      PictureTrack(
        track, frames: frames, frameRate: input.output.video.frameRate, shelf: shelf,
        note: note.map { TrackNote(note: $0, track: track.number, origin: input.origin) },
        cancellation: cancellation)
    }
  }

  /// What became of the pictures of each track that is seen so far.
  public var reports: [TrackID: PictureReport] {
    Dictionary(uniqueKeysWithValues: tracks.map { ($0.id, $0.report) })
  }

  /// Composes the frames in order and gives each to `body` with its number; the canvas holds it
  /// during the call only.
  ///
  /// Returns early once it is cancelled.
  ///
  /// - Throws: what `body` throws.
  public mutating func run<E: Error>(
    _ body: (Int, borrowing Canvas) throws(E) -> Void
  ) throws(E) {
    try run { number, canvas, _ throws(E) in try body(number, canvas) }
  }

  /// Composes the frames in order and gives each to `body` with its number and what of the canvas
  /// changed since the one before; both hold it during the call only.
  ///
  /// Returns early once it is cancelled.
  ///
  /// - Throws: what `body` throws.
  public mutating func run<E: Error>(
    _ body: (Int, borrowing Canvas, borrowing Damage) throws(E) -> Void
  ) throws(E) {
    let threadCount = max(1, min(Machine.cores, tracks.count))
    let pool = DecoderPool(tracks, lookahead: lookahead, threadCount: threadCount)
    let threads = WorkerThreads(count: threadCount, name: "decoder") { pool.run() }
    defer {
      pool.stop()
      threads.join()
    }
    var compositor = Compositor(kernels: kernels, filter: input.output.filter)
    var canvas = Canvas(size: input.output.video.size)
    let sprites = LookSprites(input)
    var contents = SlotContents(input, sprites: sprites)
    var stage = Stage(input, sprites: sprites)
    for frame in frames {
      guard !cancellation.isCancelled, pool.advance(to: frame, show: { contents.show($1, for: $0) })
      else { return }
      for index in tracks.indices where tracks[index].lostFrom <= frame {
        contents.lose(index, from: tracks[index].lostFrom)
      }
      contents.update(for: frame)
      stage.update(for: frame)
      statistics.add(compositor.compose(stage.scene, contents.contents, onto: &canvas))
      try body(input.origin + frame, canvas, compositor.damage)
      pool.release()
    }
  }

  /// A second: what a decoder needs at most to come from a keyframe to where it is wanted.
  private var lookahead: Int {
    max(1, input.output.video.frameRate.firstFrame(showing: MediaTime(seconds: 1)))
  }
}

extension ComposeStatistics {
  fileprivate mutating func add(_ other: ComposeStatistics) {
    lumaPixels += other.lumaPixels
    chromaPixels += other.chromaPixels
    tilesRedrawn += other.tilesRedrawn
  }
}
