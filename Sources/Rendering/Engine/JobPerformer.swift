import Foundation
import TesseraCompositor
import TesseraMedia
public import TesseraPixels
import TesseraSoundtrack
public import TesseraSystem
import TesseraTimeline

/// Does a render's jobs: what all workers run, wherever they are.
public struct JobPerformer: Sendable {
  private let work: WorkPlan
  private let folder: WorkFolder
  private let kernels: Kernels
  private let isStrict: Bool
  private let note: CrashNote?

  /// Does jobs of `work` and puts what comes of them into `folder`. What goes on in decoders is
  /// noted in `note`. Where it `isStrict`, a loss is an error.
  public init(
    _ work: WorkPlan, folder: WorkFolder, kernels: Kernels = Kernels(), isStrict: Bool = false,
    note: CrashNote? = nil
  ) {
    (self.work, self.folder, self.kernels) = (work, folder, kernels)
    (self.isStrict, self.note) = (isStrict, note)
  }

  /// How many slots a note of these jobs needs.
  public static func noteSlots(_ work: WorkPlan) -> Int {
    work.plan.tracks.count + work.plan.voices.count
  }

  /// Does `job`, but for what is finished already; returns early once it is cancelled.
  public func perform(
    _ job: RenderJob, cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    switch job {
    case .soundtrack: try mix(cancellation, events)
    case .reading: throw RenderError(.usage, "a plan has no recordings left to read.")
    case .segments(let numbers):
      guard numbers.lowerBound >= 0, numbers.upperBound <= work.segments.count else {
        throw RenderError(.usage, "the plan has \(work.segments.count) segments, from 0 on.")
      }
      let shelf = ReaderShelf()
      for number in numbers where !cancellation.isCancelled {
        try make(number, shelf, cancellation, events)
      }
    }
  }

  // MARK: Pictures

  private func make(
    _ number: Int, _ shelf: ReaderShelf, _ cancellation: Cancellation,
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    let losses = folder.losses(of: number)
    let digest = work.digest(of: number, losses: losses)
    guard !folder.hasSegment(number, digest: digest) else {
      events(.finished(segment: number))
      return
    }
    let path = folder.segmentPath(number)
    var frames = FrameRenderer(
      work.plan, frames: FrameSelection(work.segments[number]), lost: lostFrames(losses),
      kernels: kernels, shelf: shelf, note: note, cancellation: cancellation)
    var refused: Loss?
    do throws(FFmpegError) {
      let encoder = try SegmentEncoder(work, number: number, digest: digest, path: path)
      let stage = EncodeStage(
        size: work.plan.output.video.size
      ) { canvas, number throws(FFmpegError) in
        try encoder.encode(canvas, number: number)
      }
      defer { stage.stop() }
      let first = work.plan.frames.lowerBound
      var pace = Pace(segment: number, events: events)
      try frames.run { frame, canvas, damage throws(FFmpegError) in
        try stage.submit(canvas, damage, number: frame - first)
        pace.count()
      }
      guard !cancellation.isCancelled else { return }
      try stage.finish()
      pace.flush()
      let reports = frames.reports
      let note = SegmentNote(
        pictures: reports,
        pixelsWritten: frames.statistics.lumaPixels + frames.statistics.chromaPixels,
        crashes: losses)
      let found = work.plan.tracks.flatMap { reports[$0.id]?.losses(of: $0) ?? [] }
      if !isStrict || found.isEmpty { try encoder.finish(note) } else { refused = found[0] }
    } catch {
      throw RenderError(error, output: path)
    }
    if let refused { throw .refusing(refused) }
    events(.finished(segment: number))
  }

  /// The frames from which tracks are lost that brought workers down.
  private func lostFrames(_ losses: [CrashLoss]) -> [TrackID: Int] {
    var frames: [TrackID: Int] = [:]
    for loss in losses where work.plan.tracks.indices.contains(loss.track) {
      let time = MediaTime(nanoseconds: max(0, loss.time))
      let id = work.plan.tracks[loss.track].id
      frames[id] = min(
        frames[id] ?? .max, work.plan.output.video.frameRate.firstFrame(at: time))
    }
    return frames
  }

  // MARK: Sound

  private func mix(
    _ cancellation: Cancellation, _ events: @escaping @Sendable (JobEvent) -> Void
  ) throws(RenderError) {
    let losses = folder.soundLosses
    let digest = work.soundtrackDigest(losses: losses)
    let path = folder.soundtrackPath
    guard !folder.hasSoundtrack(digest: digest) else { return events(.mixed(1)) }
    let plan = work.plan
    let voices = plan.placedVoices(without: losses)
    let notes = note.map { note in
      voices.map {
        VoiceNote(note, track: plan.tracks.count + $0.number, origin: plan.start.nanoseconds)
      }
    }
    var refused: Loss?
    do throws(FFmpegError) {
      var encoder = try CeilingEncoder.open(work.plan.output.audio)
      var writer = try PacketFileWriter.create(
        path,
        head: PacketFile.Head(
          digest: digest, segment: nil, range: 0..<work.sampleCount,
          parameters: try encoder.encoder.parameters()))
      var soundtrack = Soundtrack(
        voices.map(\.source), sampleCount: work.sampleCount, notes: notes ?? [],
        cancellation: cancellation)
      var block: [Float] = []
      var (mixed, reported) = (0, 0)
      while (try? soundtrack.next(into: &block)) == true {
        for packet in try encoder.encode(block) { try writer.append(packet) }
        mixed += block.count / 2
        guard mixed - reported >= 10 * Soundtrack.sampleRate else { continue }
        reported = mixed
        events(.mixed(Double(mixed) / Double(max(1, work.sampleCount))))
      }
      guard !cancellation.isCancelled else { return }
      for packet in try encoder.finish() { try writer.append(packet) }
      let reports = Dictionary(
        uniqueKeysWithValues: zip(voices.map(\.number), soundtrack.voiceReports))
      let all = work.plan.voices.indices.map { reports[$0] ?? VoiceReport() }
      refused = isStrict ? zip(work.plan.voices, all).flatMap { $1.losses(of: $0) }.first : nil
      if refused == nil { try writer.finish(note: SoundNote(voices: all, crashes: losses).text) }
    } catch {
      throw RenderError(error, output: path)
    }
    if let refused { throw .refusing(refused) }
    events(.mixed(1))
  }
}

extension RenderError {
  /// Why nothing is rendered where losses are errors.
  static func refusing(_ loss: Loss) -> RenderError {
    RenderError(.failure, "--strict refuses a loss: \(loss.sentence)")
  }
}

/// Tells now and then how many frames are done.
private struct Pace {
  let segment: Int
  let events: @Sendable (JobEvent) -> Void
  private let clock = ContinuousClock()
  private var start: ContinuousClock.Instant
  private var frames = 0

  init(segment: Int, events: @escaping @Sendable (JobEvent) -> Void) {
    (self.segment, self.events) = (segment, events)
    start = clock.now
  }

  mutating func count() {
    frames += 1
    if frames % 8 == 0, clock.now - start > .milliseconds(200) { flush() }
  }

  mutating func flush() {
    let now = clock.now
    events(.advanced(segment: segment, frames: frames, seconds: (now - start) / .seconds(1)))
    (start, frames) = (now, 0)
  }
}

/// Encodes canvases into a segment's file, on one thread at a time.
private final class SegmentEncoder: @unchecked Sendable {
  // Sendable because the encoder's thread alone encodes, and has ended before `finish`.
  private let encoder: VideoEncoder
  private var writer: PacketFileWriter

  init(_ work: WorkPlan, number: Int, digest: String, path: String) throws(FFmpegError) {
    let encoder = try VideoEncoder.open(work.plan.output.video)
    let frames = work.segments[number]
    let first = work.plan.frames.lowerBound
    writer = try PacketFileWriter.create(
      path,
      head: PacketFile.Head(
        digest: digest, segment: number,
        range: Int64(frames.lowerBound - first)..<Int64(frames.upperBound - first),
        parameters: try encoder.parameters()))
    self.encoder = consume encoder
  }

  func encode(_ canvas: borrowing Canvas, number: Int) throws(FFmpegError) {
    let packets = try canvas.withPlanes { luma, blue, red throws(FFmpegError) in
      try encoder.encode(luma: luma, blue: blue, red: red, number: number)
    }
    for packet in packets { try writer.append(packet) }
  }

  func finish(_ note: SegmentNote) throws(FFmpegError) {
    for packet in try encoder.finish() { try writer.append(packet) }
    try writer.finish(note: note.text)
  }
}
