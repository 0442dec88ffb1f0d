import TesseraMessages
import TesseraProof

/// Checks that each frame shows the picture composed for it, not a neighbor's and none twice.
struct FrameOrderCheck {
  private let rate: Double
  private var orders: DeviationRunMerger<FrameShift>
  /// The evidence of the last second, for each direction.
  private var recent: [FrameShift: [MotionEvidence]] = [:]
  private var stills = FrozenFrameDetector()

  /// The direction in which a picture is displaced.
  private enum FrameShift { case late, early }

  /// Thresholds for evidence that a picture is displaced, in 8-bit levels unless stated otherwise.
  private enum Limit {
    /// Levels by which all cells together, and a moving cell on average, have to change between
    /// neighbors for a single frame to prove the order.
    static let (motion, movingCell) = (24.0, 3.0)
    /// For slow motion over a second: the least energy (the sum of the cells' squared changes), and
    /// the fraction of it that has to point at the neighbor.
    static let (energy, lag) = (200.0, 0.55)
    /// The mean deviation of a cell above which slow motion is not judged.
    static let noise = 1.0
  }

  /// Creates a check of a video with `rate` frames per second.
  init(rate: Double) {
    self.rate = rate
    orders = DeviationRunMerger(patience: max(1, Int(rate / 2)))
  }

  /// Compares frame `number` with its composed picture and the neighbors' composed pictures.
  ///
  /// - Parameters:
  ///   - number: the frame's number.
  ///   - expected: the composed frames around `number`.
  ///   - marks: the composed frame.
  ///   - measured: the decoded frame.
  ///   - motion: the change from the decoded frame before, in levels; `nil` if unknown.
  ///   - noise: the mean deviation of cells so far, in levels.
  mutating func see(
    _ number: Int, of expected: ExpectedMeasurementReader, _ marks: CanvasMeasurements,
    _ measured: CanvasMeasurements,
    motion: Double?, noise: Double
  ) {
    stills.see(number, expected: MotionMeter.levels(marks.motion), found: motion)
    for (shift, neighbour) in [(FrameShift.late, number - 1), (.early, number + 1)] {
      guard let other = expected[neighbour], other.tiles == marks.tiles else { continue }
      let evidence = MotionEvidence(measured.cells, marks.cells, other.cells)
      if evidence.isConclusive(noise) { orders.add(shift, number, evidence.motion) }
      // Slow motion is judged over a second.
      recent[shift, default: []].append(evidence)
      if recent[shift]?.count ?? 0 > Int(rate) { recent[shift]?.removeFirst() }
      guard let seen = recent[shift], seen.count >= Int(rate / 2) else { continue }
      let (energy, lag) = seen.reduce((0, 0)) { ($0.0 + $1.energy, $0.1 + $1.lag) }
      if noise < Limit.noise, energy >= Limit.energy, lag > Limit.lag * energy {
        orders.add(shift, max(0, number - Int(rate) / 2), energy)
      }
    }
  }

  /// Evidence from moving cells that a decoded frame shows its neighbor's picture.
  private struct MotionEvidence {
    /// The sum of the cells' changes between the neighbor and the frame, and the number of cells
    /// that change.
    private(set) var (motion, cells) = (0.0, 0.0)
    /// The sum of squared changes, and its part in the neighbor's direction. Cells that change by
    /// one level, which may be rounding, do not count.
    private(set) var (energy, lag) = (0.0, 0.0)
    /// The distances of the decoded cells to the frame and to the neighbor, and the number of cells
    /// closer to the neighbor.
    private var (toOwn, toOther, votes) = (0.0, 0.0, 0.0)

    init(_ measured: [UInt8], _ own: [UInt8], _ other: [UInt8]) {
      for cell in own.indices where own[cell] != other[cell] {
        let (wanted, beside, seen) = (Int(own[cell]), Int(other[cell]), Int(measured[cell]))
        let change = beside - wanted
        motion += Double(abs(change))
        toOwn += Double(abs(seen - wanted))
        toOther += Double(abs(seen - beside))
        cells += 1
        if abs(seen - beside) < abs(seen - wanted) { votes += 1 }
        guard abs(change) > 1 else { continue }
        energy += Double(change * change)
        lag += Double((seen - wanted) * change)
      }
    }

    /// True if this frame alone proves the displacement, for cells that deviate by `noise` anyway.
    ///
    /// All moving cells have to change a lot, because encoders skip slow changes.
    func isConclusive(_ noise: Double) -> Bool {
      motion >= max(Limit.motion, max(Limit.movingCell, 12 * noise) * cells)
        && toOwn - toOther > 0.6 * motion && votes >= 0.9 * cells
    }
  }

  /// Reports runs that ended before frame `number`; all runs if `number` is `nil`.
  mutating func report(before number: Int?, _ verdict: inout VerificationReport) {
    for (shift, run) in orders.ended(before: number) {
      let text: UserMessage =
        switch (shift, run.count == 1) {
        case (.late, true): "the frame before is shown once more"
        case (.early, true): "the frame after is shown too soon"
        case (.late, false): "frames come one frame late"
        case (.early, false): "frames come one frame early"
        }
      note(run.first...run.last, text, measured: run.worst, limit: Limit.motion, &verdict)
    }
    for still in stills.ended() {
      note(
        still,
        still.count == 1 ? "the frame before is shown once more" : "the pictures stand still",
        &verdict)
    }
  }

  private func note(
    _ frames: ClosedRange<Int>, _ text: UserMessage, measured: Double? = nil, limit: Double? = nil,
    _ verdict: inout VerificationReport
  ) {
    verdict.note(
      .order, from: Double(frames.lowerBound) / rate, to: Double(frames.upperBound + 1) / rate,
      text, measured: measured, limit: limit)
  }
}
