package import TesseraTimeline

/// Ducking: attenuates other sound, such as that of a shared screen, while people speak.
package enum Ducking {
  /// The times of ducking in samples: the sound is down 0.1 s before a word, falls over 0.2 s,
  /// stays down for 0.7 s and rises over 0.8 s.
  private static let (lead, fall, hold, rise) =
    (4800 as Int64, 9600 as Int64, 33_600 as Int64, 38_400 as Int64)

  /// Returns a gain curve of `decibels` (at most 0) while anyone speaks and 0 dB elsewhere.
  ///
  /// The curve is for a sound whose file begins at `start`. `speaking` are times on the timeline,
  /// in any order.
  package static func curve(
    under speaking: [TimeRange], decibels: Double, start: MediaTime
  ) -> GainCurve {
    let origin = start.sample(atRate: Soundtrack.sampleRate)
    var stretches: [Range<Int64>] = []
    for interval in speaking.sorted(by: { $0.start < $1.start }) {
      let from = interval.start.sample(atRate: Soundtrack.sampleRate) - lead
      let to = interval.end.sample(atRate: Soundtrack.sampleRate) + hold
      if let last = stretches.last, from - fall <= last.upperBound + rise {
        stretches[stretches.count - 1] = last.lowerBound..<max(last.upperBound, to)
      } else {
        stretches.append(from..<to)
      }
    }
    let low = Float(min(0, decibels))
    return GainCurve(
      stretches.flatMap { stretch in
        [
          GainCurve.Point(position: stretch.lowerBound - fall - origin, decibels: 0),
          GainCurve.Point(position: stretch.lowerBound - origin, decibels: low),
          GainCurve.Point(position: stretch.upperBound - origin, decibels: low),
          GainCurve.Point(position: stretch.upperBound + rise - origin, decibels: 0),
        ]
      })
  }
}
