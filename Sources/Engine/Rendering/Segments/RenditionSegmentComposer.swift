import TesseraCodecs
import TesseraCompositor
import TesseraPlan
import TesseraProof
import TesseraSystem
import TesseraTimeline

/// One rendition's share of a run: composes its consecutive segments frame by frame and sends the
/// frames to the encoders.
///
/// ``SegmentRecipe`` decides the bytes of each segment. Terms are explained in `WorkPlan.swift`.
final class RenditionSegmentComposer {
  /// Number of frames that were composed.
  private(set) var composedCount = 0
  /// The rendition's index in the work plan.
  let number: Int
  /// The error that ended this rendition; nil while it continues.
  var failure: RenderError?

  private let segmentRenderer: SegmentRenderer
  private let rendition: RenditionPlan
  private let segments: Range<Int>
  private let losses: [CrashedTrackLoss]
  private var renderer: FrameRenderer
  private let stage: EncodeStage
  /// Number of pixels that were written for each segment.
  private var pixels: [Int]
  private var pixelsBefore = 0
  /// The frame of the plan that is composed first.
  private let origin: Int
  /// The proof's slot number for each slot of the input; nil if no proof is recorded.
  private let owners: [Int]?
  /// The tiles of the last frame; empty if no proof is recorded.
  private var tiles: [ProofTile] = []

  /// One rendition's share of a run, before decoders are opened.
  struct RunShare {
    /// The rendition's index in the work plan.
    let number: Int
    /// The consecutive segments to render, at least one.
    let segments: Range<Int>
    /// The crash losses that apply to the segments.
    let losses: [CrashedTrackLoss]
    /// The feed that supplies the segments' pictures.
    let member: PictureDecodePool.DecodeRequest

    init(
      _ number: Int, _ segments: Range<Int>, without losses: [CrashedTrackLoss],
      of segmentRenderer: SegmentRenderer
    ) {
      (self.number, self.segments, self.losses) = (number, segments, losses)
      let rendition = segmentRenderer.work.renditions[number]
      let last = segments.upperBound - 1
      let frames = rendition.shown(in: segments)
      let first = frames.lowerBound
      let starts =
        segments.map { rendition.segments[$0].lowerBound } + [rendition.segments[last].upperBound]
      let slots = segmentRenderer.slots
      member = PictureDecodePool.DecodeRequest(
        input: rendition.plan.input(for: frames, without: losses),
        frames: frames.counted(from: first),
        course: PictureFeed.Ranges(
          cuts: rendition.cuts.map { rendition.callFrame($0) - first },
          parts: starts.map { rendition.callFrame($0) - first }),
        slot: { slots.slot(of: $0, in: number) })
    }
  }

  /// Creates the renderer of `part`, whose feed has index `place` in `pool`.
  init(_ part: RunShare, place: Int, of pool: PictureDecodePool, _ segmentRenderer: SegmentRenderer)
  {
    (number, segments, losses, self.segmentRenderer) = (
      part.number, part.segments, part.losses, segmentRenderer
    )
    let rendition = segmentRenderer.work.renditions[part.number]
    self.rendition = rendition
    origin = part.member.input.origin
    renderer = FrameRenderer(
      part.member, number: place, of: pool, kernels: segmentRenderer.kernels,
      cancellation: segmentRenderer.cancellation)
    let isProven = rendition.plan.output.isProven
    owners = isProven ? part.member.input.slots.map(rendition.plan.proofSlot) : nil
    let losses = part.losses
    let isFrugal = pool.tracks.count > 1
    stage = EncodeStage(rendition, segments) { segment throws(FFmpegError) in
      try SegmentEncoder(
        rendition.plan.output.video, rendition.place(of: segment),
        digest: rendition.digest(of: segment, losses: losses),
        path: segmentRenderer.folder.segmentPath(segment, of: rendition), isFrugal: isFrugal,
        isProven: isProven)
    }
    pixels = Array(repeating: 0, count: segments.count)
  }

  deinit { stage.stop() }

  /// The middle of the next frame, in half frames: twice its number, plus one. nil after the last
  /// frame.
  private var middle: Int128? { renderer.upcoming.map { 2 * Int128($0) + 1 } }

  /// True if there is another frame to compose.
  var goesOn: Bool { failure == nil && renderer.upcoming != nil }

  /// True if the middle of the next frame is earlier than that of `other`. A frame shows what is
  /// current at its middle.
  func comes(before other: RenditionSegmentComposer) -> Bool {
    guard let own = middle, let others = other.middle else { return middle != nil }
    let (rate, otherRate) = (
      rendition.plan.output.video.frameRate, other.rendition.plan.output.video.frameRate
    )
    return own * Int128(rate.denominator) * Int128(otherRate.numerator)
      < others * Int128(otherRate.denominator) * Int128(rate.numerator)
  }

  /// Composes the next frame and submits it to the encoders. Returns the segment that the frame
  /// belongs to, if it is one of this run, and the segment that it completes, if any. Returns nil
  /// if it is canceled.
  func makeFrame() throws(RenderError) -> (owner: Int?, finished: Int?)? {
    guard let call = renderer.advance() else { return nil }
    let frame = rendition.plan.cut.output(from: call)
    composedCount += 1
    let owner = rendition.segments.partitioningIndex { $0.upperBound > frame }
    let written = renderer.statistics.pixels - pixelsBefore
    pixelsBefore += written
    // The pixels of joint frames outside the run count for the runs of those segments.
    let isOwn = segments.contains(owner)
    if isOwn { pixels[owner - segments.lowerBound] += written }
    markTiles()
    do throws(FFmpegError) {
      try stage.submit(
        renderer.composition.canvas, renderer.composition.damage, frame: frame, tiles)
    } catch {
      throw RenderError(error, output: path(of: owner))
    }
    let ended = stage.segment(endingWith: frame)
    if let ended { try finish(ended) }
    return (isOwn ? owner : nil, ended)
  }

  private func markTiles() {
    guard let owners else { return }
    let size = rendition.plan.output.video.size
    tiles.removeAll(keepingCapacity: true)
    for tile in renderer.composition.tiles {
      if let marked = ProofTile(tile, of: owners[tile.item], on: size) { tiles.append(marked) }
    }
  }

  private func path(of segment: Int) -> String {
    segmentRenderer.folder.segmentPath(segment, of: rendition)
  }

  /// Finishes the file of `segment`, whose last frame is submitted.
  private func finish(_ segment: Int) throws(RenderError) {
    let note = note(on: segment)
    if segmentRenderer.isStrict, let loss = rendition.losses(in: note, of: segment).first {
      throw .refusing(loss)
    }
    do throws(FFmpegError) {
      try stage.finish(segment, note)
    } catch {
      throw RenderError(error, output: path(of: segment))
    }
  }

  /// Returns the result of rendering `segment`.
  private func note(on segment: Int) -> SegmentReport {
    let number = segment - segments.lowerBound
    let first = rendition.callFrame(rendition.segments[segment].lowerBound) - origin
    let parts = renderer.tallies(ofPart: number + 1).map { ($0.id, $1.counted(from: first)) }
    return SegmentReport(
      pictures: Dictionary(uniqueKeysWithValues: parts), pixelsWritten: pixels[number],
      crashes: losses, isMakeshift: parts.contains { $1.isMakeshift })
  }
}

extension RenditionPlan {
  /// Returns the report on each track in the note of `segment`.
  func pictures(in note: SegmentReport, of segment: Int) -> [(track: Plan.Track, PictureReport)] {
    plan.tracks.compactMap { track in
      note.pictures[track.id].map { part in
        let first = callFrame(segments[segment].lowerBound)
        let rate = plan.output.video.frameRate
        return (track, PictureReport(part, of: track.source, from: first, at: rate))
      }
    }
  }

  func losses(in note: SegmentReport, of segment: Int) -> [Loss] {
    pictures(in: note, of: segment).flatMap { $1.losses(of: $0) }
  }
}
