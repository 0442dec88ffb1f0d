import TesseraCodecs
import TesseraMessages
import TesseraProof
import TesseraTimeline

/// Checks pictures without a proof: order of PTS, black and frozen pictures, flashes.
struct NoReferenceCheck {
  private var last: ExactTime?
  private var count = 0
  private var before: [UInt8] = []
  private var (black, still, flashing) = (Stretch(), Stretch(), Stretch())
  private var flashes = FlashCheck()

  /// Consecutive pictures that share a property.
  private struct Stretch {
    private var start: Double?

    /// Records the property at `time`.
    ///
    /// Returns the stretch that ends at `time` if it lasted `least` seconds.
    mutating func mark(_ holds: Bool, _ time: Double, least: Double) -> (
      start: Double, end: Double
    )? {
      if holds {
        start = start ?? time
        return nil
      }
      defer { start = nil }
      return start.flatMap { time - $0 >= least ? ($0, time) : nil }
    }
  }

  /// The seconds from which on black and frozen pictures are reported.
  private static let (blackSeconds, stillSeconds) = (1.0, 5.0)

  /// Checks the picture that `playback` shows at `time`.
  mutating func see(
    _ playback: borrowing FilePlayer, at time: ExactTime?, _ verdict: inout VerificationReport
  ) {
    guard let time else { return verdict.note(.frames, "a picture has no time") }
    if let last, !(last < time) {
      verdict.note(.frames, from: time.seconds, "a picture is not later than the previous one")
    }
    last = time
    count += 1
    let shown = playback.withPicture { luma, blue, red in
      CanvasMeasurements([], luma: luma, blue: blue, red: red, overview: true).overview?.luma
    }
    guard let cells = shown ?? nil else { return }
    let isBlack = cells.allSatisfy { $0 <= PictureCheck.Limit.black }
    mark(isBlack: isBlack, isStill: cells == before && !isBlack, time.seconds, &verdict)
    mark(isFlashing: flashes.see(cells, at: time.seconds), time.seconds, &verdict)
    before = cells
  }

  /// Ends open stretches and reports the number of pictures.
  mutating func finish(_ verdict: inout VerificationReport) {
    mark(isBlack: false, isStill: false, last?.seconds ?? 0, &verdict)
    mark(isFlashing: false, last?.seconds ?? 0, &verdict)
    verdict.look(at: .frames, "\(count) pictures")
  }

  private mutating func mark(isFlashing: Bool, _ time: Double, _ verdict: inout VerificationReport)
  {
    if let (start, end) = flashing.mark(isFlashing, time, least: 0) {
      verdict.remark(
        .canvas, from: max(0, start - 1), to: end,
        "the picture flashes more than three times a second")
    }
  }

  private mutating func mark(
    isBlack: Bool, isStill: Bool, _ time: Double, _ verdict: inout VerificationReport
  ) {
    if let (start, end) = black.mark(isBlack, time, least: Self.blackSeconds) {
      verdict.remark(.motion, from: start, to: end, "the picture is black")
    }
    if let (start, end) = still.mark(isStill, time, least: Self.stillSeconds) {
      verdict.remark(.motion, from: start, to: end, "the picture stands still")
    }
  }
}
