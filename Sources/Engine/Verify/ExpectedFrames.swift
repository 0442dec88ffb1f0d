import TesseraProof

/// The frames of a proof in their order: the one that is looked at, and its neighbours.
struct ExpectedFrames {
  private let segments: [Proof.Segment]
  private var next = 0
  private var reader: MarkReader?
  private var left = 0
  /// The number of the frame that is read next.
  private var upcoming = 0
  /// The frames that are known, by their numbers modulo three.
  private var known: [(number: Int, marks: CanvasMarks)?] = [nil, nil, nil]

  /// Those of `pictures`.
  init(_ pictures: Proof.Pictures) { segments = pictures.segments }

  /// What frame `number` shows, whose neighbours are then known; nil where the proof does not say.
  mutating func go(to number: Int) -> CanvasMarks? {
    while upcoming <= number + 1, let marks = read() {
      known[upcoming % 3] = (upcoming, marks)
      upcoming += 1
    }
    return self[number]
  }

  /// A frame that is known.
  subscript(number: Int) -> CanvasMarks? {
    guard number >= 0, let found = known[number % 3], found.number == number else { return nil }
    return found.marks
  }

  private mutating func read() -> CanvasMarks? {
    while true {
      if left > 0, let marks = reader?.next() {
        left -= 1
        return marks
      }
      guard next < segments.count else { return nil }
      // What a damaged segment lacks is not known.
      upcoming = max(upcoming, segments[next].first)
      reader = MarkReader(segments[next].marks)
      left = segments[next].count
      next += 1
    }
  }
}
