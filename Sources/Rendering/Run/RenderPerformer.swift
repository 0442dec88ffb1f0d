package import TesseraJobs
import TesseraMedia
package import TesseraPixels
import TesseraPlan
package import TesseraPlanning
import TesseraSoundtrack
package import TesseraSystem
import TesseraTimeline

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
    work.plan.slotCount
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
      guard numbers.lowerBound >= 0, numbers.upperBound <= work.segments.count else {
        throw RenderError(.usage, "the plan has \(work.segments.count) segments, from 0 on.")
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
    let losses = folder.soundLosses
    let digest = work.soundtrackDigest(losses: losses)
    let path = folder.soundtrackPath
    guard !folder.hasSoundtrack(digest: digest) else { return events(.mixed(1)) }
    var refused: Loss?
    do throws(FFmpegError) {
      refused = try encode(digest, losses, note, cancellation, events)
    } catch {
      throw RenderError(error, output: path)
    }
    if let refused { throw .refusing(refused) }
    if !cancellation.isCancelled { events(.mixed(1)) }
  }

  /// Mixes and encodes the sound into its file, which lands unless somebody asked to stop; returns
  /// the loss for which it does not.
  private func encode(
    _ digest: String, _ losses: [CrashLoss], _ note: CrashNote?, _ cancellation: Cancellation,
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws(FFmpegError) -> Loss? {
    let input = work.plan.soundInput(without: losses)
    let notes = note.map { note in
      input.voices.map { VoiceNote(note, track: $0.id.slot, origin: input.origin.nanoseconds) }
    }
    var encoder = try CeilingEncoder.open(input.encoder)
    var writer = try PacketFileWriter.create(
      folder.soundtrackPath,
      head: PacketFile.Head(
        digest: digest, segment: nil, range: 0..<input.sampleCount,
        parameters: try encoder.encoder.parameters()))
    var soundtrack = Soundtrack(
      input.voices.map(\.source), sampleCount: input.sampleCount, notes: notes ?? [],
      cancellation: cancellation)
    var block: [Float] = []
    var (mixed, reported) = (0, 0)
    while (try? soundtrack.next(into: &block)) == true {
      for packet in try encoder.encode(block) { try writer.append(packet) }
      mixed += block.count / 2
      guard mixed - reported >= 10 * Soundtrack.sampleRate else { continue }
      reported = mixed
      events(.mixed(Double(mixed) / Double(max(1, input.sampleCount))))
    }
    guard !cancellation.isCancelled else { return nil }
    for packet in try encoder.finish() { try writer.append(packet) }
    let reports = Dictionary(
      uniqueKeysWithValues: zip(input.voices.map(\.number), soundtrack.voiceReports))
    let all = work.plan.voices.indices.map { reports[$0] ?? VoiceReport() }
    let lost = zip(work.plan.voices, all).lazy.flatMap { $1.losses(of: $0) }.first
    if isStrict, let lost { return lost }
    try writer.finish(note: SoundNote(voices: all, crashes: losses).text)
    return nil
  }
}

extension RenderError {
  /// Why nothing is rendered where losses are errors.
  static func refusing(_ loss: Loss) -> RenderError {
    RenderError(.failure, "--strict refuses a loss: \(loss.sentence)")
  }
}
