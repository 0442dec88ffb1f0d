/// Fades a voice in and out around speech, and lowers its gain in the pauses between words.
struct SpeechFades {
  private let bounds: NoiseGainLimit
  /// The stretches in which the voice is open, each with its stretches of speech, in samples of the
  /// file.
  private var open: [(range: Range<Int64>, words: [Range<Int64>])] = []

  /// The times of fades in samples: a fade takes 50 ms, the voice opens 150 ms before a word and
  /// closes 2 s after it, or 0.1 s if others are heard then.
  private static let (fade, opening, closing, shortClosing) =
    (2400 as Int64, 7200 as Int64, 96_000 as Int64, 4800 as Int64)
  /// The times of gain changes in pauses, in samples: the gain falls 0.2 s after a word over
  /// 0.15 s, and rises over 0.1 s until 50 ms before the next word.
  private static let (hold, fall, rise, lead) =
    (9600 as Int64, 7200 as Int64, 4800 as Int64, 2400 as Int64)
  /// The least reduction of the gain that is applied in a pause, in decibels.
  private static let leastFall: Float = 1

  /// Computes the fades of a voice that speaks in the steps `runs`. Only other people are heard in
  /// the steps `bleed`.
  init(_ runs: [Range<Int>], bleed: [Range<Int>], _ bounds: NoiseGainLimit) {
    self.bounds = bounds
    var others = bleed[...]
    for run in runs {
      let words = Self.samples(run)
      let start = words.lowerBound - Self.opening
      others = others.drop { $0.upperBound <= run.upperBound }
      let next = others.first.map { Int64($0.lowerBound * VoiceAnalysis.hop) } ?? .max
      let end = min(
        words.upperBound + Self.closing, max(words.upperBound + Self.shortClosing, next))
      if let last = open.last, start - Self.fade <= last.range.upperBound + Self.fade {
        let range = last.range.lowerBound..<max(last.range.upperBound, end)
        open[open.count - 1] = (range, last.words + [words])
      } else {
        open.append((start..<end, [words]))
      }
    }
  }

  private static func samples(_ steps: Range<Int>) -> Range<Int64> {
    Int64(steps.lowerBound * VoiceAnalysis.hop)..<Int64(steps.upperBound * VoiceAnalysis.hop)
  }

  /// Returns `curve` with silence where nobody speaks for a while, and with less gain in shorter
  /// pauses whose noise would be audible.
  func applied(to curve: GainCurve) -> GainCurve {
    var points: [GainCurve.Point] = []
    var (rest, place) = (curve.points[...], 0)
    for (range, words) in open {
      let silent = { (position: Int64) in
        GainCurve.Point(position: position, decibels: GainCurve.silence)
      }
      points.append(silent(range.lowerBound - Self.fade))
      points.append(level(curve, range.lowerBound, &place))
      rest = rest.drop { $0.position <= range.lowerBound }
      for (number, word) in words.enumerated() {
        let next = number + 1 < words.count ? words[number + 1].lowerBound : nil
        let pause = pause(
          after: word.upperBound, to: next ?? range.upperBound, isLast: next == nil, curve, &place)
        let end = pause.first?.position ?? next ?? range.upperBound
        let inside = rest.prefix { $0.position < end }
        points += inside
        points += pause
        rest = rest.dropFirst(inside.count)
        if let last = pause.last { rest = rest.drop { $0.position <= last.position } }
      }
      let last = points.last.map { $0.position < range.upperBound } ?? true
      if last { points.append(level(curve, range.upperBound, &place)) }
      points.append(silent(range.upperBound + Self.fade))
    }
    return GainCurve(points)
  }

  /// Returns the point of `curve` at `position`, searching from point `place` on.
  private func level(
    _ curve: GainCurve, _ position: Int64, _ place: inout Int
  ) -> GainCurve.Point {
    GainCurve.Point(position: position, decibels: curve.decibels(at: position, from: &place))
  }

  /// Returns the points that lower the gain after sample `start` and raise it again before `end`.
  ///
  /// If `isLast`, the gain is not raised again. The result is empty if noise is inaudible or the
  /// pause is too short.
  private func pause(
    after start: Int64, to end: Int64, isLast: Bool, _ curve: GainCurve, _ place: inout Int
  ) -> [GainCurve.Point] {
    let (falling, fallen) = (start + Self.hold, start + Self.hold + Self.fall)
    let risen = isLast ? end : end - Self.lead
    let rising = isLast ? end : risen - Self.rise
    guard fallen < rising else { return [] }
    let step = Int((fallen + rising) / 2) / VoiceAnalysis.hop
    let first = level(curve, falling, &place)
    let last = level(curve, risen, &place)
    let low = min(Float(bounds.inPauses(step)), first.decibels, last.decibels)
    guard first.decibels - low > Self.leastFall || last.decibels - low > Self.leastFall else {
      return []
    }
    let points = [
      first, GainCurve.Point(position: fallen, decibels: low),
      GainCurve.Point(position: rising, decibels: low),
    ]
    return isLast ? points : points + [last]
  }
}
