import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraPlanning
import TesseraSystem
import TesseraTimeline

/// Makes segments in a row that have the same losses: every picture is decoded and every frame is
/// composed once, also where two segments are encoded from it.
struct RunMaker: ~Copyable {
  /// How many frames were composed.
  private(set) var composedCount = 0
  /// How many pictures were decoded.
  var decodedCount: Int { renderer.decodedCount }

  private let maker: SegmentMaker
  private let segments: Range<Int>
  private let losses: [CrashLoss]
  private let events: @Sendable (JobEvent) -> Void
  private var renderer: FrameRenderer
  private var fan: EncoderFan
  private var pace: Pace
  /// The pixels that were written for each segment.
  private var pixels: [Int]
  private var pixelsBefore = 0
  /// The number of the first frame.
  private let origin: Int

  /// What makes `segments` without `losses`, as `maker` does.
  init(
    _ maker: SegmentMaker, _ segments: Range<Int>, _ losses: [CrashLoss],
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) {
    (self.maker, self.segments, self.losses, self.events) = (maker, segments, losses, events)
    let work = maker.work
    let last = segments.upperBound - 1
    let first = work.encodedFrames(of: segments.lowerBound).lowerBound
    let frames = first..<work.encodedFrames(of: last).upperBound
    let input = work.plan.input(for: frames, without: losses)
    let starts = segments.map { work.segments[$0].lowerBound } + [work.segments[last].upperBound]
    let course = FrameFeed.Course(
      cuts: work.cuts.map { $0 - first }, parts: starts.map { $0 - first })
    renderer = FrameRenderer(
      input, frames: FrameSelection(0..<frames.count), course, kernels: maker.kernels,
      note: maker.note, cancellation: maker.cancellation)
    origin = first
    fan = EncoderFan(work, segments) { number throws(FFmpegError) in
      try SegmentEncoder(
        work.plan.output.video, work.place(of: number), first: work.plan.frames.lowerBound,
        digest: work.digest(of: number, losses: losses),
        path: maker.folder.segmentPath(number))
    }
    pace = Pace(events: events)
    pixels = Array(repeating: 0, count: segments.count)
  }

  /// Makes them; returns early once it is cancelled.
  mutating func make() throws(RenderError) {
    while let frame = renderer.advance() {
      let owner = maker.work.segments.partitioningIndex { $0.upperBound > frame }
      count(frame, of: owner)
      let path = maker.folder.segmentPath(owner)
      do throws(FFmpegError) {
        try fan.submit(renderer.composition.canvas, renderer.composition.damage, frame: frame)
      } catch {
        throw RenderError(error, output: path)
      }
      if let ended = fan.segment(endingWith: frame) { try finish(ended) }
    }
  }

  /// Lands `segment`, whose last frame is encoded.
  private mutating func finish(_ segment: Int) throws(RenderError) {
    let note = note(on: segment)
    if maker.isStrict, let loss = maker.work.losses(in: note, of: segment).first {
      throw .refusing(loss)
    }
    do throws(FFmpegError) {
      try fan.finish(segment, note)
    } catch {
      throw RenderError(error, output: maker.folder.segmentPath(segment))
    }
    pace.flush()
    events(.finished(part: segment))
  }

  private mutating func count(_ frame: Int, of segment: Int) {
    composedCount += 1
    let written = renderer.statistics.pixels - pixelsBefore
    pixelsBefore += written
    // Frames beside the run are on the account of whoever makes those segments.
    guard segments.contains(segment) else { return }
    pixels[segment - segments.lowerBound] += written
    pace.count(segment)
  }

  /// What making `segment` came to.
  private func note(on segment: Int) -> SegmentNote {
    let number = segment - segments.lowerBound
    let first = maker.work.segments[segment].lowerBound - origin
    let parts = renderer.tallies(ofPart: number + 1).map { ($0.id, $1.counted(from: first)) }
    return SegmentNote(
      pictures: Dictionary(uniqueKeysWithValues: parts), pixelsWritten: pixels[number],
      crashes: losses, isMakeshift: parts.contains { $1.isMakeshift })
  }
}

extension WorkPlan {
  /// What a note says of the pictures of `segment`, by track.
  func pictures(in note: SegmentNote, of segment: Int) -> [(track: Plan.Track, PictureReport)] {
    plan.tracks.compactMap { track in
      note.pictures[track.id].map { part in
        let first = segments[segment].lowerBound
        let rate = plan.output.video.frameRate
        return (track, PictureReport(part, of: track.source, from: first, at: rate))
      }
    }
  }

  /// What a note says was lost of the pictures of `segment`.
  func losses(in note: SegmentNote, of segment: Int) -> [Loss] {
    pictures(in: note, of: segment).flatMap { $1.losses(of: $0) }
  }
}
