import TesseraTimeline

/// Predicts the remaining time of a render from the time that its finished parts took.
///
/// Parts of a call differ: twelve cameras at one time, two at another. So the model measures
/// seconds per unit of estimated work, not frames per second.
struct RemainingTimeEstimator: Sendable {
  /// The cost of each segment, in an arbitrary unit.
  private let work: [Double]
  /// The finished share of each segment, 0...1.
  private var done: [Double]
  private let frameCounts: [Int]
  /// The cost of the soundtrack without its pieces, in the same unit.
  private let soundWork: Double
  private var soundDone: Double
  /// The cost of each piece of the sound; 0 once the piece is finished.
  private var pieces: [Double]
  private let pieceWork: Double
  /// Seconds from the start of the render to the first report on encoding the soundtrack from its
  /// pieces; nil before.
  private var soundBegan: Double?
  private var measured: (work: Double, seconds: Double) = (0, 0)
  private var sound: (work: Double, seconds: Double) = (0, 0)
  /// The processor time that workers have spent on sound, in seconds; 0 if unknown.
  var soundProcessorSeconds = 0.0

  /// Creates a model of segments with `frameCounts` frames and costs `work`, and of a soundtrack
  /// that is encoded from `pieces`, if there are any.
  init(work: [Double], frameCounts: [Int], soundWork: Double, pieces: [Double] = []) {
    (self.work, self.frameCounts, self.soundWork) = (work, frameCounts, soundWork)
    (self.pieces, pieceWork) = (pieces, pieces.reduce(0, +))
    done = Array(repeating: 0, count: work.count)
    soundDone = soundWork > 0 ? 0 : 1
  }

  /// Records that frames of a segment are reused from an earlier run.
  mutating func reuse(segment: Int, frames: Int) {
    guard frameCounts[segment] > 0 else { return }
    done[segment] = min(1, done[segment] + Double(frames) / Double(frameCounts[segment]))
  }

  /// Records that the soundtrack is reused from an earlier run.
  mutating func reuseSoundtrack() {
    soundDone = 1
    for piece in pieces.indices { pieces[piece] = 0 }
  }

  /// Records that a piece of the sound is finished. `seconds` is the time that it took; nil if it
  /// is reused.
  mutating func finish(piece: Int, seconds: Double? = nil) {
    guard pieces.indices.contains(piece), pieces[piece] > 0 else { return }
    if let seconds { sound = (sound.work + pieces[piece], sound.seconds + seconds) }
    pieces[piece] = 0
  }

  /// Records that `frames` more frames of a segment took a worker `seconds`.
  mutating func advance(segment: Int, frames: Int, seconds: Double) {
    guard done.indices.contains(segment), frameCounts[segment] > 0, seconds >= 0 else { return }
    let part = min(1 - done[segment], Double(frames) / Double(frameCounts[segment]))
    done[segment] += part
    measured.work += part * work[segment]
    measured.seconds += seconds
  }

  mutating func finish(segment: Int) { done[segment] = 1 }

  /// Records that the share `part`, 0...1, of the soundtrack is finished `seconds` after the start.
  mutating func mixed(_ part: Double, seconds: Double) {
    let added = min(1, max(soundDone, part)) - soundDone
    soundDone += added
    guard !pieces.isEmpty else {
      sound = (soundWork * soundDone, seconds)
      return
    }
    if let began = soundBegan {
      sound = (sound.work + added * soundWork, sound.seconds + seconds - began)
    }
    soundBegan = seconds
  }

  /// The finished share of all work, 0...1.
  var fraction: Double {
    let all = work.reduce(soundWork + pieceWork, +)
    guard all > 0 else { return isDone ? 1 : 0 }
    let made = zip(work, done).reduce(soundMade) { $0 + $1.0 * $1.1 }
    return min(1, made / all)
  }

  /// True if all pictures are finished or there are none.
  var hasAllPictures: Bool { done.allSatisfy { $0 == 1 } }

  /// The finished work for the sound and its pieces.
  private var soundMade: Double { soundWork * soundDone + pieceWork - pieces.reduce(0, +) }

  /// The finished share of the soundtrack if the output is sound alone; nil if it has pictures.
  var onlySound: Double? {
    work.isEmpty ? (isDone ? 1 : min(1, soundMade / (soundWork + pieceWork))) : nil
  }

  /// Number of finished frames.
  var frames: Int {
    zip(done, frameCounts).reduce(0) { $0 + Int(saturating: ($1.0 * Double($1.1)).rounded()) }
  }

  /// Returns the predicted seconds until `workers` finish the rest; nil before anything was
  /// measured.
  func remaining(workers: Int) -> Double? {
    guard measured.work > 0 || (sound.work > 0 && done.allSatisfy { $0 == 1 }) else {
      return isDone ? 0 : nil
    }
    let pace = measured.work > 0 ? measured.seconds / measured.work : 0
    var parts = zip(work, done).map { $0 * (1 - $1) * pace }.filter { $0 > 0 }
    let soundPace = sound.work > 0 ? sound.seconds / sound.work : pace
    let mixing = pieces.reduce(0, +) * soundPace
    parts.append(soundWork * (1 - soundDone) * soundPace)
    // Lower bounds: an even division among the workers, the longest part alone, and the pieces of
    // the sound before its encoding.
    let even = (parts.reduce(0, +) + mixing) / Double(max(1, workers))
    return max(even, parts.max() ?? 0, mixing / Double(max(1, workers)) + (parts.last ?? 0))
  }

  private var isDone: Bool { soundDone == 1 && pieces.allSatisfy { $0 == 0 } && hasAllPictures }
}
