/// When a voice is heard, and how its gain falls in the pauses between words.
struct SpeechFades {
  private let bounds: NoiseBounds
  /// The stretches, in samples, in which the voice is heard, and those of speech in each.
  private var open: [(range: Range<Int64>, words: [Range<Int64>])] = []

  /// Samples that a fade lasts (50 ms), before which it opens (150 ms), and after which it closes
  /// (2 s, or 0.1 s where others are heard then).
  private static let (fade, opening, closing, shortClosing) =
    (2400 as Int64, 7200 as Int64, 96_000 as Int64, 4800 as Int64)
  /// Samples after a word before the gain falls (0.2 s), over which it falls (0.15 s) and rises
  /// (0.1 s), and before the next word at which it has risen (50 ms).
  private static let (hold, fall, rise, lead) =
    (9600 as Int64, 7200 as Int64, 4800 as Int64, 2400 as Int64)
  /// Less of a fall is not worth it, in decibels.
  private static let leastFall: Float = 1

  /// The fades of a voice with speech in the steps `runs`, and nothing but others in those of
  /// `bleed`.
  init(_ runs: [Range<Int>], bleed: [Range<Int>], _ bounds: NoiseBounds) {
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

  /// `curve` with silence where nothing is said for a while, and less of it in shorter pauses whose
  /// noise would be heard.
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

  private func level(
    _ curve: GainCurve, _ position: Int64, _ place: inout Int
  ) -> GainCurve.Point {
    GainCurve.Point(position: position, decibels: curve.decibels(at: position, from: &place))
  }

  /// How the gain falls from sample `start` on and rises again before `end`, or not where it
  /// `isLast`; nothing where noise is not heard, or the pause is too short.
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
