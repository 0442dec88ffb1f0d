/// Merges frames with one deviation into runs, so that each run is reported as one finding.
struct DeviationRunMerger<Key: Hashable> {
  /// Consecutive frames with one deviation.
  struct Run {
    /// The first and the last deviating frame.
    var (first, last): (Int, Int)
    /// The number of deviating frames.
    var count: Int
    /// The largest measured value.
    var worst: Double
  }

  private var open: [Key: Run] = [:]
  /// A run ends after this many frames without the deviation.
  private let patience: Int

  /// Creates runs that end after `patience` frames without the deviation.
  init(patience: Int) { self.patience = patience }

  /// Records that the deviation `key` measures `value` in `frame`.
  mutating func add(_ key: Key, _ frame: Int, _ value: Double) {
    var run = open[key] ?? Run(first: frame, last: frame, count: 0, worst: value)
    run.last = frame
    run.count += 1
    run.worst = max(run.worst, value)
    open[key] = run
  }

  /// Removes and returns the runs that ended before `frame`, in order; all runs if `frame` is
  /// `nil`.
  mutating func ended(before frame: Int?) -> [(key: Key, run: Run)] {
    let ended = open.filter { frame == nil || $0.value.last + patience < frame ?? 0 }
    for key in ended.keys { open[key] = nil }
    return ended.map { ($0.key, $0.value) }.sorted { $0.1.first < $1.1.first }
  }
}
