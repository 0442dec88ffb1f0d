import TesseraCodecs
import TesseraJobs
import TesseraPlan
import TesseraSystem

/// Makes sections in a row that have the same losses, of all renditions that lack them: every
/// picture is decoded once for all, and every frame is composed once, also where two segments are
/// encoded from it.
struct RunMaker {
  /// How many frames were composed.
  var composedCount: Int { runs.reduce(0) { $0 + $1.composedCount } }
  /// How many pictures were decoded.
  var decodedCount: Int { supply.decodedCount }
  /// The renditions that could not be made, and why.
  var failures: [(rendition: Int, error: RenderError)] {
    runs.compactMap { run in run.failure.map { (run.number, $0) } }
  }

  private let maker: SegmentMaker
  private let sections: Range<Int>
  private let events: @Sendable (JobEvent) -> Void
  private let supply: PictureSupply
  private let runs: [RenditionRun]
  private var pace: Pace
  /// How many segments of each rendition are not finished, by section.
  private var open: [[Int: Int]]
  /// Whether a section was finished since it was looked where to end.
  private var hasFinished = false

  /// What makes `sections` of `renditions` without `losses`, as `maker` does.
  init(
    _ maker: SegmentMaker, _ sections: Range<Int>, of renditions: [Int], _ losses: [CrashLoss],
    _ events: @escaping @Sendable (JobEvent) -> Void
  ) {
    (self.maker, self.sections, self.events) = (maker, sections, events)
    let parts = renditions.map { number in
      RenditionRun.Part(
        number, maker.work.segments(of: number, in: sections),
        without: maker.slots.losses(losses, in: number), of: maker)
    }
    let supply = PictureSupply(
      parts.map(\.member), note: maker.note, cancellation: maker.cancellation)
    self.supply = supply
    runs = parts.enumerated().map { RenditionRun($1, place: $0, of: supply, maker) }
    pace = Pace(events: events)
    open = sections.map { section in
      let counts = renditions.map { ($0, maker.work.sections[section].segments[$0].count) }
      return Dictionary(uniqueKeysWithValues: counts.filter { $1 > 0 })
    }
  }

  /// Makes them, up to the section that `limit` says whenever one is finished; returns early once it is cancelled. A
  /// rendition that cannot be made any further leaves the others alone.
  ///
  /// - Throws: where there is none but that rendition, or a loss is an error.
  mutating func make(until limit: () -> Int = { .max }) throws(RenderError) {
    while !maker.cancellation.isCancelled {
      if hasFinished {
        hasFinished = false
        // What follows is made by another worker.
        if zip(sections, open).allSatisfy({ $0 >= limit() || $1.isEmpty }) { return }
      }
      guard try makeFrame() else { return }
    }
  }

  /// Makes one frame, that of the rendition whose turn it is; false where there is none, and once
  /// cancelled.
  ///
  /// - Throws: as ``make(until:)`` does.
  mutating func makeFrame() throws(RenderError) -> Bool {
    var next: RenditionRun?
    for run in runs where run.goesOn {
      // The first one at equal times.
      if let next, !run.comes(before: next) { continue }
      next = run
    }
    guard let next else { return false }
    do throws(RenderError) {
      guard let made = try next.makeFrame() else { return false }
      note(made.owner, made.finished, of: next.number)
    } catch {
      guard maker.work.renditions.count > 1, !maker.isStrict else { throw error }
      next.failure = error
      for section in sections { end(section, next.number) { _ in 0 } }
    }
    return true
  }

  private mutating func note(_ owner: Int?, _ finished: Int?, of rendition: Int) {
    if let owner { pace.count(section(of: owner, rendition)) }
    if let finished { end(section(of: finished, rendition), rendition) { $0 - 1 } }
  }

  /// Notes how many segments of a rendition are still to be made in a section.
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
    sections.first { maker.work.sections[$0].segments[rendition].contains(segment) }
      ?? sections.lowerBound
  }
}
