/// Where the ticks of a track lie on the timeline:
/// start + (ticks − first) × time base × rate, exactly.
package struct TrackClock: Hashable, Sendable, Codable {
  /// Where ``firstTicks`` lies on the timeline.
  package var start: ExactTime
  /// The ticks that lie at ``start``.
  package var firstTicks: Int64
  /// Seconds a tick, both numbers positive.
  package var timeBase: Ratio
  /// Timeline seconds in a second of the track's clock: other than 1 where its recorder's clock
  /// ran slow or fast.
  package var rate: Ratio
  /// Pictures a second where nearly all times of the track are the rounding of a whole number of
  /// pictures at this rate, as in WebM with its milliseconds: that number then counts, and a time
  /// that is a tick or more away from any keeps its own. Nil where not.
  package var nominalRate: Ratio?

  /// The clock on which `firstTicks` of `timeBase` lies at `start`.
  package init(
    start: ExactTime, firstTicks: Int64, timeBase: Ratio, rate: Ratio = .one,
    nominalRate: Ratio? = nil
  ) {
    (self.start, self.firstTicks, self.timeBase) = (start, firstTicks, timeBase)
    (self.rate, self.nominalRate) = (rate, nominalRate)
  }

  /// Where `ticks` lie on the timeline.
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

  /// The first frame that shows the picture at `ticks`.
  package func firstFrame(showing ticks: Int64, at frameRate: FrameRate) -> Int {
    frameRate.firstFrame(showing: time(ticks: ticks))
  }
}
