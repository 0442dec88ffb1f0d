import TesseraJobs
import TesseraPlan
import TesseraSystem

/// Renders consecutive sections with equal losses, for all renditions that lack them. Each picture
/// is decoded once for all renditions. Each frame is composed once, even if two segments need it.
///
/// Frames are composed by ``RenditionSegmentComposer``; ``SegmentRecipe`` decides the bytes of each
/// segment. Terms are explained in `WorkPlan.swift`.
struct RunRenderer {
  /// Number of frames that were composed.
  var composedCount: Int { runs.reduce(0) { $0 + $1.composedCount } }
  /// Number of pictures that were decoded.
  var decodedCount: Int { pool.decodedCount }
  /// The renditions that failed, and their errors.
  var failures: [(rendition: Int, error: RenderError)] {
    runs.compactMap { run in run.failure.map { (run.number, $0) } }
  }

  private let segmentRenderer: SegmentRenderer
  private let sections: Range<Int>
  private let events: @Sendable (JobEvent) -> Void
  private let pool: PictureDecodePool
  private let runs: [RenditionSegmentComposer]
  private var pace: ProgressReporter
  /// For each section, the number of unfinished segments by rendition.
  private var open: [[Int: Int]]
  /// True if a section was finished since the limit was last checked.
  private var hasFinished = false

  /// Prepares rendering `sections` of `renditions` with the crash losses `losses` and the settings
  /// of `segmentRenderer`.
  init(
    _ segmentRenderer: SegmentRenderer, _ sections: Range<Int>, of renditions: [Int],
    _ losses: [CrashedTrackLoss],
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) {
    (self.segmentRenderer, self.sections, self.events) = (segmentRenderer, sections, events)
    let parts = renditions.map { number in
      RenditionSegmentComposer.RunShare(
        number, segmentRenderer.work.segments(of: number, in: sections),
        without: segmentRenderer.slots.losses(losses, in: number), of: segmentRenderer)
    }
    let pool = PictureDecodePool(
      parts.map(\.member), note: segmentRenderer.note, cancellation: segmentRenderer.cancellation)
    self.pool = pool
    runs = parts.enumerated().map {
      RenditionSegmentComposer($1, place: $0, of: pool, segmentRenderer)
    }
    pace = ProgressReporter(events: events)
    open = sections.map { section in
      let counts = renditions.map {
        ($0, segmentRenderer.work.sections[section].segments[$0].count)
      }
      return Dictionary(uniqueKeysWithValues: counts.filter { $1 > 0 })
    }
  }

  /// Renders the sections up to the one that `limit` returns, which is checked after each finished
  /// section. Returns early if it is canceled. A rendition that fails does not stop the others.
  ///
  /// - Throws: ``RenderError`` if the plan has a single rendition and it fails, or if a loss is an
  ///   error.
  mutating func make(until limit: () -> Int = { .max }) throws(RenderError) {
    while !segmentRenderer.cancellation.isCancelled {
      if hasFinished {
        hasFinished = false
        // Another worker renders the sections that follow.
        if zip(sections, open).allSatisfy({ $0 >= limit() || $1.isEmpty }) { return }
      }
      guard try makeFrame() else { return }
    }
  }

  /// Renders the next frame, in order of time across the renditions. Returns false if there is
  /// none, or if it is canceled.
  ///
  /// - Throws: the errors of ``make(until:)``.
  mutating func makeFrame() throws(RenderError) -> Bool {
    var next: RenditionSegmentComposer?
    for run in runs where run.goesOn {
      // At equal times, the first rendition comes first.
      if let next, !run.comes(before: next) { continue }
      next = run
    }
    guard let next else { return false }
    do throws(RenderError) {
      guard let made = try next.makeFrame() else { return false }
      note(made.owner, made.finished, of: next.number)
    } catch {
      guard segmentRenderer.work.renditions.count > 1, !segmentRenderer.isStrict else {
        throw error
      }
      next.failure = error
      for section in sections { end(section, next.number) { _ in 0 } }
    }
    return true
  }

  private mutating func note(_ owner: Int?, _ finished: Int?, of rendition: Int) {
    if let owner { pace.count(section(of: owner, rendition)) }
    if let finished { end(section(of: finished, rendition), rendition) { $0 - 1 } }
  }

  /// Updates the number of a rendition's unfinished segments in a section, and reports the section
  /// when it is finished.
  private mutating func end(_ section: Int, _ rendition: Int, _ left: (Int) -> Int) {
    let place = section - sections.lowerBound
    guard let count = open[place][rendition] else { return }
    open[place][rendition] = left(count) > 0 ? left(count) : nil
    guard open[place].isEmpty else { return }
    pace.flush()
    hasFinished = true
    events(.finished(part: section))
  }

  private func section(of segment: Int, _ rendition: Int) -> Int {
    sections.first { segmentRenderer.work.sections[$0].segments[rendition].contains(segment) }
      ?? sections.lowerBound
  }
}
