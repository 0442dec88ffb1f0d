package import TesseraJobs
package import TesseraPixels
package import TesseraPlan
package import TesseraSystem

/// Does a render's jobs: what all workers run, wherever they are.
package struct RenderPerformer: Performer {
  private let work: WorkPlan
  private let folder: WorkFolder
  private let kernels: Kernels
  private let isStrict: Bool

  /// Does jobs of `work` and puts what comes of them into `folder`. Where it `isStrict`, a loss is
  /// an error.
  package init(
    _ work: WorkPlan, folder: WorkFolder, kernels: Kernels = Kernels(), isStrict: Bool = false
  ) {
    (self.work, self.folder, self.kernels) = (work, folder, kernels)
    self.isStrict = isStrict
  }

  /// How many slots a note of these jobs needs.
  package static func noteSlots(_ work: WorkPlan) -> Int {
    TrackSlots(work).count
  }

  /// Does `job`, but for what is finished already; returns early once it is cancelled.
  package func perform(
    _ job: RenderJob, note: CrashNote?, cancellation: Cancellation,
    events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    switch job {
    case .soundtrack: try mix(note, cancellation, events)
    case .together(let jobs):
      for job in jobs where !cancellation.isCancelled {
        try perform(job, note: note, cancellation: cancellation, events: events)
      }
    case .segments(let numbers):
      guard numbers.lowerBound >= 0, numbers.upperBound <= work.sections.count else {
        throw RenderError(.usage, "the plan has \(work.sections.count) segments, from 0 on.")
      }
      let maker = SegmentMaker(
        work: work, folder: folder, kernels: kernels, isStrict: isStrict, note: note,
        cancellation: cancellation)
      try maker.make(numbers, events)
    }
  }

  // MARK: Sound

  private func mix(
    _ note: CrashNote?, _ cancellation: Cancellation,
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    let before = ProcessorTime.spent
    // A process without a note does other things at the same time.
    defer { if note != nil { events(.spentOnSound(ProcessorTime.spent - before)) } }
    let (slots, losses) = (TrackSlots(work), folder.soundLosses)
    let missing = work.soundPieces.filter { number in
      !folder.hasSoundtrack(of: work.renditions[number], slots.losses(losses, in: number))
    }
    let mixes = missing.map { number in
      SoundMix(
        work.renditions[number], path: folder.soundtrackPath(of: work.renditions[number]),
        without: slots.losses(losses, in: number), isStrict: isStrict
      ) { id in note.map { ($0, slots.slot(of: id, in: number)) } }
    }
    let failures = SoundMix.make(mixes, cancellation: cancellation) { events(.mixed($0)) }
    for (number, failure) in zip(missing, failures) {
      guard let failure else { continue }
      guard work.renditions.count > 1, !isStrict, failure.kind != .cancelled else { throw failure }
      for rendition in work.renditions.indices where work.soundPiece(of: rendition) == number {
        events(.failed(rendition: rendition, failure.kind, failure.message))
      }
    }
    guard !cancellation.isCancelled else { return }
    events(.mixed(1))
  }
}

extension RenderError {
  /// Why nothing is rendered where losses are errors.
  static func refusing(_ loss: Loss) -> RenderError {
    RenderError(.failure, "--strict refuses a loss: \(loss.sentence)")
  }
}
