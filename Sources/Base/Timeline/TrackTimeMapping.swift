/// A mapping from a track's ticks to the timeline, computed exactly: start + (ticks − first) × time
/// base × rate.
package struct TrackTimeMapping: Hashable, Sendable, Codable {
  /// The time of ``firstTicks`` on the timeline.
  package var start: ExactTime
  /// The tick that is at ``start``.
  package var firstTicks: Int64
  /// The duration of a tick in seconds; both numbers are positive.
  package var timeBase: Ratio
  /// The number of timeline seconds for each second of the track's clock: 1 unless the recorder's
  /// clock was slow or fast.
  package var rate: Ratio
  /// The frame rate, in frames per second, of which nearly all of the track's timestamps are
  /// rounded multiples, as in WebM with its milliseconds; `nil` otherwise.
  ///
  /// If set, a timestamp within a tick of a multiple is replaced by that multiple. Any other
  /// timestamp is used unchanged.
  package var nominalRate: Ratio?

  /// Creates a clock that maps `firstTicks` of `timeBase` to `start`.
  package init(
    start: ExactTime, firstTicks: Int64, timeBase: Ratio, rate: Ratio = .one,
    nominalRate: Ratio? = nil
  ) {
    (self.start, self.firstTicks, self.timeBase) = (start, firstTicks, timeBase)
    (self.rate, self.nominalRate) = (rate, nominalRate)
  }

  /// Maps `ticks` to the timeline.
  package func time(ticks: Int64) -> ExactTime {
    let elapsed = Int128(ticks) - Int128(firstTicks)
    var (numerator, denominator) = (
      elapsed *| Int128(timeBase.numerator), Int128(timeBase.denominator)
    )
    if let nominalRate {
      let unit = denominator *| Int128(nominalRate.denominator)
      let scaled = numerator *| Int128(nominalRate.numerator)
      let pictures = scaled.dividedRoundingHalfUp(by: unit)
      let tick = Int128(timeBase.numerator) *| Int128(nominalRate.numerator)
      if (scaled -| pictures *| unit).magnitude < tick.magnitude {
        (numerator, denominator) = (
          pictures *| Int128(nominalRate.denominator), Int128(nominalRate.numerator)
        )
      }
    }
    return start
      + ExactTime(
        numerator *| Int128(rate.numerator), over: denominator *| Int128(rate.denominator))
  }

  /// Returns the first frame at `frameRate` that shows the picture with timestamp `ticks`.
  package func firstFrame(showing ticks: Int64, at frameRate: FrameRate) -> Int {
    frameRate.firstFrame(showing: time(ticks: ticks))
  }
}
