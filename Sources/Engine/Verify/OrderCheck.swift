import TesseraProof

/// Whether each frame shows what was composed for its time: not what was before or comes after, and not the same twice.
struct OrderCheck {
  private let rate: Double
  private var orders: Runs<Lateness>
  /// The evidence of the last second.
  private var recent: [Lateness: [Evidence]] = [:]
  private var stills = StillFrames()

  /// In which direction pictures are not in their place.
  private enum Lateness { case late, early }

  /// What is allowed.
  private enum Limit {
    /// Levels that all cells change by from one frame to the next where that shows their order, and those that each of
    /// them does on average.
    static let (motion, movingCell) = (24.0, 3.0)
    /// The squares of what cells move by in a second where that shows their order, and the part of it that has to lie
    /// at the neighbour.
    static let (energy, lag) = (200.0, 0.55)
    /// The usual deviation of a cell above which slow motion is not judged.
    static let noise = 1.0
  }

  /// A check of pictures that come `rate` times a second.
  init(rate: Double) {
    self.rate = rate
    orders = Runs(patience: max(1, Int(rate / 2)))
  }

  /// Looks at frame `number`, whose cells deviate by `noise` on average; `motion` is how much the picture differs from
  /// the one before, in levels, nil where that is not known.
  mutating func see(
    _ number: Int, of expected: ExpectedFrames, _ marks: CanvasMarks, _ measured: CanvasMarks,
    motion: Double?, noise: Double
  ) {
    stills.see(number, expected: MotionMeter.levels(marks.motion), found: motion)
    for (lateness, neighbour) in [(Lateness.late, number - 1), (.early, number + 1)] {
      guard let other = expected[neighbour], other.tiles == marks.tiles else { continue }
      let evidence = Evidence(measured.cells, marks.cells, other.cells)
      if evidence.tells(noise) { orders.add(lateness, number, evidence.motion) }
      // Slow motion is judged over a second.
      recent[lateness, default: []].append(evidence)
      if recent[lateness]?.count ?? 0 > Int(rate) { recent[lateness]?.removeFirst() }
      guard let seen = recent[lateness], seen.count >= Int(rate / 2) else { continue }
      let (energy, lag) = seen.reduce((0, 0)) { ($0.0 + $1.energy, $0.1 + $1.lag) }
      if noise < Limit.noise, energy >= Limit.energy, lag > Limit.lag * energy {
        orders.add(lateness, max(0, number - Int(rate) / 2), energy)
      }
    }
  }

  /// By what moves, whether a frame is the one beside it.
  private struct Evidence {
    /// How much cells move from the neighbour to the frame, and how many do.
    private(set) var (motion, cells) = (0.0, 0.0)
    /// Of cells that move by more than rounding does: the squares of it, and how much of that lies at the neighbour.
    private(set) var (energy, lag) = (0.0, 0.0)
    /// How far what is seen is from the frame and from the neighbour, and how many cells are nearer to that.
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

    /// Whether one frame alone is proof of it, where cells deviate by `noise` anyway: all of them move by far, as
    /// encoders leave out what changes slowly.
    func tells(_ noise: Double) -> Bool {
      motion >= max(Limit.motion, max(Limit.movingCell, 12 * noise) * cells)
        && toOwn - toOther > 0.6 * motion && votes >= 0.9 * cells
    }
  }

  /// Says what ended before frame `number`; all where it is nil.
  mutating func report(before number: Int?, _ verdict: inout Verdict) {
    for (lateness, run) in orders.ended(before: number) {
      let text =
        switch (lateness, run.count == 1) {
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
    _ frames: ClosedRange<Int>, _ text: String, measured: Double? = nil, limit: Double? = nil,
    _ verdict: inout Verdict
  ) {
    verdict.note(
      .order, from: Double(frames.lowerBound) / rate, to: Double(frames.upperBound + 1) / rate,
      text, measured: measured, limit: limit)
  }
}
