import TesseraLayout
import TestSupport
import Testing

@Suite(.timed) struct EasingCurveTests {
  /// The curves at 0, 0.1, … 1, to five decimals.
  static let table: [(EasingCurve, [Double])] = [
    (
      .easeInOut,
      [0, 0.01972, 0.08166, 0.18740, 0.33188, 0.5, 0.66812, 0.81260, 0.91834, 0.98028, 1]
    ),
    (
      EasingCurve(0.42, 0, 1, 1),
      [0, 0.01703, 0.06228, 0.12958, 0.21486, 0.31536, 0.42912, 0.55481, 0.69163, 0.83943, 1]
    ),
    (
      EasingCurve(0, 0, 0.58, 1),
      [0, 0.16057, 0.30837, 0.44519, 0.57088, 0.68464, 0.78514, 0.87042, 0.93772, 0.98297, 1]
    ),
    (
      EasingCurve(0.25, 0.1, 0.25, 1),
      [0, 0.09480, 0.29524, 0.51332, 0.68254, 0.80240, 0.88523, 0.94076, 0.97563, 0.99432, 1]
    ),
    (
      EasingCurve(0.4, 0, 0.2, 1),
      [0, 0.02586, 0.13395, 0.36730, 0.61359, 0.77556, 0.87597, 0.93825, 0.97527, 0.99435, 1]
    ),
    (EasingCurve(0, 0, 1, 1), [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
  ]

  @Test(arguments: table.indices) func curvesMatchKnownPoints(row: Int) {
    let (curve, expected) = Self.table[row]
    for (index, value) in expected.enumerated() {
      #expect(abs(curve.value(at: Double(index) / 10) - value) < 6e-6)
    }
  }

  @Test func curvesAreExactAtAndBeyondTheEnds() {
    #expect([-1, 0, 1, 2].map { EasingCurve.easeInOut.value(at: $0) } == [0, 0, 1, 1])
  }
}
