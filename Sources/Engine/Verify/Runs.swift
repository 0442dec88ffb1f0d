/// Frames in a row in which the same deviates, as one finding.
struct Runs<Key: Hashable> {
  /// Such frames.
  struct Run {
    /// The first one and the last one.
    var (first, last): (Int, Int)
    /// In how many of them it deviates.
    var count: Int
    /// The largest value.
    var worst: Double
  }

  private var open: [Key: Run] = [:]
  /// How many frames without it end a run.
  private let patience: Int

  /// Runs that end after `patience` frames without what deviates.
  init(patience: Int) { self.patience = patience }

  /// Notes that something deviates in `frame`.
  mutating func add(_ key: Key, _ frame: Int, _ value: Double) {
    var run = open[key] ?? Run(first: frame, last: frame, count: 0, worst: value)
    run.last = frame
    run.count += 1
    run.worst = max(run.worst, value)
    open[key] = run
  }

  /// The runs that have ended before `frame`; all where that is nil.
  mutating func ended(before frame: Int?) -> [(key: Key, run: Run)] {
    let ended = open.filter { frame == nil || $0.value.last + patience < frame ?? 0 }
    for key in ended.keys { open[key] = nil }
    return ended.map { ($0.key, $0.value) }.sorted { $0.1.first < $1.1.first }
  }
}
