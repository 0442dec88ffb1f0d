package import TesseraJobs
import TesseraMessages
package import TesseraPixels
package import TesseraPlan
import TesseraSoundtrack
package import TesseraSystem

/// Executes the jobs of a render. Each of its workers runs it, on threads, in processes and on
/// clusters.
///
/// ``SoundMixRenderer`` makes sound, ``SegmentRenderer`` makes pictures. Both store their pieces in
/// the work folder and report progress; nothing else is returned.
package struct RenderJobHandler: JobHandler {
  private let work: WorkPlan
  private let folder: WorkFolder
  private let kernels: PixelKernels
  private let isStrict: Bool

  /// Creates a handler for jobs of `work` that stores finished pieces in `folder`. If `isStrict`
  /// is true, a loss is an error.
  package init(
    _ work: WorkPlan, folder: WorkFolder, kernels: PixelKernels = PixelKernels(),
    isStrict: Bool = false
  ) {
    (self.work, self.folder, self.kernels) = (work, folder, kernels)
    self.isStrict = isStrict
  }

  /// Executes `job`, except for its finished parts. Returns early if it is canceled.
  package func perform(
    _ job: RenderJob, note: CrashNote?, cancellation: Cancellation,
    events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    switch job {
    case .sound(let numbers):
      guard numbers.lowerBound >= 0, numbers.upperBound <= work.soundPieceCount else {
        throw RenderError(
          .usage,
          work.soundPieceCount == 0
            ? "the plan's sound has no pieces."
            : "the plan has \(work.soundPieceCount) pieces of sound, from 0 on.")
      }
      try timing(note, events) { () throws(RenderError) in
        for number in numbers where number < folder.jobs.end(of: job) && !cancellation.isCancelled {
          let (clock, start) = (ContinuousClock(), ContinuousClock.now)
          try mix(piece: number, note, cancellation)
          guard !cancellation.isCancelled else { return }
          events(.advanced(part: number, frames: 0, seconds: (clock.now - start) / .seconds(1)))
          events(.finished(part: number))
        }
      }
    case .soundtrack:
      try timing(note, events) { () throws(RenderError) in try mix(note, cancellation, events) }
    case .together(let jobs):
      for job in jobs where !cancellation.isCancelled {
        try perform(job, note: note, cancellation: cancellation, events: events)
      }
    case .segments(let numbers):
      guard numbers.lowerBound >= 0, numbers.upperBound <= work.sections.count else {
        throw RenderError(.usage, "the plan has \(work.sections.count) segments, from 0 on.")
      }
      let segmentRenderer = SegmentRenderer(
        work: work, folder: folder, kernels: kernels, isStrict: isStrict, note: note,
        cancellation: cancellation)
      try segmentRenderer.make(numbers, until: { [folder] in folder.jobs.end(of: job) }, events)
    }
  }

  // MARK: Sound

  /// Reports the processor time that `body` takes.
  private func timing(
    _ note: CrashNote?, _ events: (JobEvent) -> Void, _ body: () throws(RenderError) -> Void
  ) throws(RenderError) {
    let before = CPUTime.spent
    // A worker without a note is a thread of a process that does other work at the same time.
    defer { if note != nil { events(.spentOnSound(CPUTime.spent - before)) } }
    try body()
  }

  /// Returns the mix of rendition `number`, or one piece of it.
  private func mix(of number: Int, piece: Int? = nil, _ note: CrashNote?) -> SoundMixRenderer {
    let slots = CrashNoteSlots(work)
    return SoundMixRenderer(
      work.renditions[number], piece: piece, in: folder,
      without: slots.losses(folder.soundLosses, in: number), isStrict: isStrict
    ) { id in note.map { ($0, slots.slot(of: id, in: number)) } }
  }

  /// Mixes piece `piece` of all renditions that lack it.
  private func mix(
    piece: Int, _ note: CrashNote?, _ cancellation: Cancellation
  ) throws(RenderError) {
    let (slots, losses) = (CrashNoteSlots(work), folder.soundLosses)
    let missing = work.renditions(ofSoundPiece: piece).filter { number in
      !folder.hasSoundPiece(piece, of: work.renditions[number], slots.losses(losses, in: number))
    }
    // Outputs of different durations have different pieces.
    let groups = Dictionary(grouping: missing) { work.renditions[$0].soundPieces }
    for numbers in groups.values.sorted(by: { $0[0] < $1[0] }) {
      let mixes = numbers.map { mix(of: $0, piece: piece, note) }
      let failures = SoundMixRenderer.make(mixes, cancellation: cancellation) { _ in }
      if let failure = failures.lazy.compactMap(\.self).first { throw failure }
    }
  }

  private func mix(
    _ note: CrashNote?, _ cancellation: Cancellation,
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    let (slots, losses) = (CrashNoteSlots(work), folder.soundLosses)
    let missing = work.soundtracks.filter { number in
      !folder.hasSoundtrack(of: work.renditions[number], slots.losses(losses, in: number))
    }
    let pieces = missing.map { work.renditions[$0].soundPieces.count }.filter { $0 > 1 }.max() ?? 0
    for piece in 0..<pieces where !cancellation.isCancelled {
      try mix(piece: piece, note, cancellation)
    }
    guard !cancellation.isCancelled else { return }
    let mixes = missing.map { mix(of: $0, note) }
    let failures = SoundMixRenderer.make(mixes, cancellation: cancellation) { events(.mixed($0)) }
    for (number, failure) in zip(missing, failures) {
      guard let failure else { continue }
      guard work.renditions.count > 1, !isStrict, failure.kind != .cancelled else { throw failure }
      for rendition in work.renditions.indices where work.soundtrack(of: rendition) == number {
        events(.failed(rendition: rendition, failure.kind, failure.sentence))
      }
    }
    guard !cancellation.isCancelled else { return }
    if failures.allSatisfy({ $0 == nil }) {
      for number in work.soundtracks {
        for path in folder.soundPiecePaths(of: work.renditions[number]) {
          FileOperations.remove(path)
        }
      }
    }
    events(.mixed(1))
  }
}

extension RenderError {
  /// Returns the error for a loss in a strict render.
  static func refusing(_ loss: Loss) -> RenderError {
    RenderError(.failure, "\(option: "strict") refuses a loss: \(loss.message)")
  }
}
