import TesseraProof

/// Reads the frames of a proof in order and keeps three of them: the current one and its neighbors.
struct ExpectedMeasurementReader {
  private let segments: [OutputProof.Segment]
  private var next = 0
  private var reader: MeasurementReader?
  private var left = 0
  /// The number of the frame that is read next.
  private var upcoming = 0
  /// The frames in memory, by their numbers modulo three.
  private var known: [(number: Int, marks: CanvasMeasurements)?] = [nil, nil, nil]

  /// Creates a reader of the frames of `pictures`.
  init(_ pictures: OutputProof.Pictures) { segments = pictures.segments }

  /// Reads up to the frame after `number` and returns the marks of `number`; `nil` if the proof
  /// lacks it.
  ///
  /// `number` must not decrease.
  mutating func go(to number: Int) -> CanvasMeasurements? {
    while upcoming <= number + 1, let marks = read() {
      known[upcoming % 3] = (upcoming, marks)
      upcoming += 1
    }
    return self[number]
  }

  /// The marks of a frame in memory; `nil` for any other frame.
  subscript(number: Int) -> CanvasMeasurements? {
    guard number >= 0, let found = known[number % 3], found.number == number else { return nil }
    return found.marks
  }

  private mutating func read() -> CanvasMeasurements? {
    while true {
      if left > 0, let marks = reader?.next() {
        left -= 1
        return marks
      }
      guard next < segments.count else { return nil }
      // Frames that a damaged segment lacks are skipped.
      upcoming = max(upcoming, segments[next].first)
      reader = MeasurementReader(segments[next].marks)
      left = segments[next].count
      next += 1
    }
  }
}
