import TesseraTimeline

/// Recovers the frame rate from rounded timestamps: WebM and FLV store whole milliseconds.
enum NominalFrameRateFinder {
  /// The frame rates that recorders and cameras use, integers first.
  private static let standard =
    [5, 6, 8, 10, 12, 15, 20, 24, 25, 30, 48, 50, 60, 90, 100, 120].map { Ratio($0, 1) }
    + [24, 30, 60, 120].map { Ratio($0 * 1000, 1001) } + [Ratio(15000, 1001), Ratio(25, 2)]

  /// Returns the rate r for which at least nine of ten `ticks` equal n / r, rounded, counted from
  /// the first; returns `nil` if there is none, or if a tick is shorter than half a millisecond.
  ///
  /// The remaining ticks are late or early pictures, which keep their timestamps
  /// (``TrackTimeMapping``). The rate `claimed` by the container is tried first if it is a standard
  /// one.
  static func find(_ ticks: [Int64], timeBase: Ratio, claimed: Ratio?) -> Ratio? {
    guard ticks.count > 1, timeBase.numerator > 0, timeBase.denominator > 0,
      2000 * timeBase.numerator >= timeBase.denominator
    else { return nil }
    let sorted = ticks.sorted()
    return ([claimed].compactMap { $0 }.filter(standard.contains) + standard).first {
      fits(sorted, $0, timeBase)
    }
  }

  private static func fits(_ ticks: [Int64], _ rate: Ratio, _ timeBase: Ratio) -> Bool {
    let unit = Int128(timeBase.denominator) * Int128(rate.denominator)
    let step = Int128(timeBase.numerator) * Int128(rate.numerator)
    // The period must be at least four ticks, so that rounding errors are small against it.
    guard 4 * step <= unit else { return false }
    var (last, fitting) = (Int128(-1), 0)
    for time in ticks {
      let scaled = (Int128(time) - Int128(ticks[0])) * step
      let picture = (2 * scaled + unit) / (2 * unit)
      guard picture > last, (scaled - picture * unit).magnitude < step.magnitude else { continue }
      (last, fitting) = (picture, fitting + 1)
    }
    return 10 * fitting >= 9 * ticks.count
  }
}
