import TesseraMessages
import TesseraProof

/// Compares overviews of the whole canvas with the composed ones: brightness, colors and black
/// parts.
struct CanvasCheck {
  private let rate: Double
  private var runs: DeviationRunMerger<Fault>
  /// The sums of the mean deviations in luma and chroma, and the number of overviews compared.
  private var overall: (luma: Double, chroma: Double, count: Double) = (0, 0, 0)
  /// The fit of the deviation to a mix-up of BT.709 and BT.601, in either direction.
  private var (there, back) = (MatrixMixUp(), MatrixMixUp())
  private var slope = LumaSlope()

  /// The kinds of deviation of the canvas.
  private enum Fault: Hashable { case range, light, colors, black, differs }

  /// Tolerances for the whole canvas, in 8-bit levels unless stated otherwise.
  private enum Limit {
    /// Allowed deviation in levels: the mean of luma, a single cell, and the mean of chroma.
    static let (canvas, cell, chroma) = (3.0, 24.0, 4.0)
    /// The factor on a limit for a deviation in a single overview. Encoders lag behind a fade of
    /// the whole canvas.
    static let once = 3.0
    /// The fraction of a matrix mix-up's change that compression may imitate.
    static let matrix = 0.5
    /// The allowed difference of luma's slope from 1. A mix-up of ranges gives 1.16 or 0.86.
    static let slope = 0.08
  }

  /// Creates a check of a video with `rate` frames per second.
  init(rate: Double) {
    self.rate = rate
    runs = DeviationRunMerger(patience: 2 * max(1, Int(rate / 2)))
  }

  /// Compares the overview of frame `number` with the composed overview.
  mutating func see(
    _ number: Int, _ expected: CanvasMeasurements.Overview, _ found: CanvasMeasurements.Overview
  ) {
    let count = Double(CanvasMeasurements.Overview.cellCount)
    let mean = CellMeanDistance.distance(expected.luma, found.luma) / count
    let worst = zip(expected.luma, found.luma).map { abs(Int($0) - Int($1)) }.max() ?? 0
    let chroma =
      (CellMeanDistance.distance(expected.blue, found.blue)
        + CellMeanDistance.distance(expected.red, found.red))
      / (2 * count)
    overall.luma += mean
    overall.chroma += chroma
    overall.count += 1
    slope.add(expected.luma, found.luma)
    let isScaled = mean > Limit.canvas && Self.isScaled(expected.luma, found.luma)
    if !isScaled {
      there.add(expected, found, .there)
      back.add(expected, found, .back)
    }
    if mean > Limit.canvas || Double(worst) > Limit.cell {
      let blackened = zip(expected.luma, found.luma).contains {
        $0 > 40 && $1 <= PictureCheck.Limit.black
      }
      let fault: Fault =
        isScaled
        ? .range
        : blackened ? .black : mean > Limit.canvas ? .light : .differs
      runs.add(fault, number, mean)
    }
    if chroma > Limit.chroma { runs.add(.colors, number, chroma) }
  }

  /// The change of coded Y'CbCr values if a decoder assumes the wrong matrix.
  ///
  /// `luma` holds the coefficients of Cb and Cr that are added to luma; `blue` and `red` hold the
  /// coefficients of Cb and Cr in the new Cb and Cr.
  private struct WrongMatrixEffect {
    var (luma, blue, red): ((Double, Double), (Double, Double), (Double, Double))

    /// BT.709 values read as BT.601, and the reverse, for limited range (16...235 and 16...240).
    static let there = WrongMatrixEffect(
      luma: (0.0993, 0.1917), blue: (0.9899, -0.1107), red: (-0.0725, 0.9834))
    static let back = WrongMatrixEffect(
      luma: (-0.1156, -0.2079), blue: (1.0186, 0.1146), red: (0.0750, 1.0253))
  }

  /// The fraction of a matrix mix-up's change that the found pictures contain.
  ///
  /// A least-squares fit of the found deviation to the expected change. Deviation and change are
  /// taken relative to their means, because encoders and scalers leave constant offsets.
  private struct MatrixMixUp {
    private var (product, square, cells) = (0.0, 0.0, 0.0)

    mutating func add(
      _ expected: CanvasMeasurements.Overview, _ found: CanvasMeasurements.Overview,
      _ matrix: WrongMatrixEffect
    ) {
      let blue = expected.blue.map { Double($0) - 128 }
      let red = expected.red.map { Double($0) - 128 }
      add(expected.luma, found.luma, zip(blue, red).map { matrix.luma.0 * $0 + matrix.luma.1 * $1 })
      add(
        expected.blue, found.blue,
        zip(blue, red).map { (matrix.blue.0 - 1) * $0 + matrix.blue.1 * $1 })
      add(
        expected.red, found.red, zip(blue, red).map { matrix.red.0 * $0 + (matrix.red.1 - 1) * $1 })
    }

    private mutating func add(_ expected: [UInt8], _ found: [UInt8], _ change: [Double]) {
      let count = Double(change.count)
      let seen = zip(expected, found).map { Double($1) - Double($0) }
      let (seenMean, mean) = (seen.reduce(0, +) / count, change.reduce(0, +) / count)
      for (seen, change) in zip(seen, change) {
        product += (seen - seenMean) * (change - mean)
        square += (change - mean) * (change - mean)
      }
      cells += count
    }

    /// The fraction found, 1 for a complete mix-up; 0 if the colors are too pale for a decision.
    var part: Double { square > 0.04 * cells ? product / square : 0 }
  }

  /// The least-squares slope of found luma against composed luma.
  private struct LumaSlope {
    private var (count, wanted, seen, squares, products) = (0.0, 0.0, 0.0, 0.0, 0.0)

    mutating func add(_ expected: [UInt8], _ found: [UInt8]) {
      for (expected, found) in zip(expected, found) {
        let (x, y) = (Double(expected), Double(found))
        count += 1
        wanted += x
        seen += y
        squares += x * x
        products += x * y
      }
    }

    /// The slope; 1 if all cells are about equally bright.
    var value: Double {
      let variance = squares - wanted * wanted / max(1, count)
      return variance > 64 * count ? (products - wanted * seen / count) / variance : 1
    }
  }

  /// True if luma looks like a mix-up of ranges: 16...235 read as 0...255, or the reverse.
  private static func isScaled(_ expected: [UInt8], _ found: [UInt8]) -> Bool {
    func deviation(_ change: (Double) -> Double) -> Double {
      zip(expected, found).reduce(0) { sum, pair in
        sum + abs(min(255, max(0, change(Double(pair.0)))) - Double(pair.1))
      } / Double(expected.count)
    }
    let plain = deviation { $0 }
    let widened = deviation { ($0 - 16) * 255 / 219 }
    let narrowed = deviation { $0 * 219 / 255 + 16 }
    return min(widened, narrowed) < plain / 3
  }

  private static let otherRange: UserMessage = "luma has another range"

  /// Reports runs that ended before frame `number`; all runs if `number` is `nil`.
  mutating func report(before number: Int?, _ verdict: inout VerificationReport) {
    for (fault, run) in runs.ended(before: number) {
      let limit = fault == .colors ? Limit.chroma : Limit.canvas
      let isCell = fault == .black || fault == .differs
      guard run.count > 1 || isCell || run.worst > Limit.once * limit else { continue }
      let text: UserMessage =
        switch fault {
        case .range: Self.otherRange
        case .light: "the picture is lighter, darker or a different one"
        case .colors: "colors differ"
        case .black: "a part of the canvas is black"
        case .differs: "a part of the canvas looks different"
        }
      verdict.note(
        .canvas, from: Double(run.first) / rate, to: Double(run.last + 1) / rate, text,
        measured: run.worst, limit: limit)
    }
  }

  /// Reports deviations of the whole file up to `end`, in seconds: the mean deviation, and slight
  /// but constant deviations that indicate a wrong range or matrix.
  func finish(end: Double, _ verdict: inout VerificationReport) {
    guard overall.count > 0 else { return }
    let (luma, chroma) = (overall.luma / overall.count, overall.chroma / overall.count)
    func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
    verdict.look(
      at: .canvas,
      "luma deviates by \(text(luma)), chroma by \(text(chroma)) levels")
    let isKnown = verdict.checks.contains { check in
      check.subject == .canvas && check.findings.contains { $0.text == Self.otherRange }
    }
    if abs(slope.value - 1) > Limit.slope, !isKnown {
      verdict.note(
        .canvas, from: 0, to: end, Self.otherRange, measured: slope.value, limit: 1 + Limit.slope)
    }
    let part = max(there.part, back.part)
    if part > Limit.matrix {
      verdict.note(
        .canvas, from: 0, to: end, "colors are those of another matrix throughout",
        measured: part, limit: Limit.matrix)
    }
  }
}
