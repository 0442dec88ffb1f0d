import TesseraPlan
import TesseraTimeline

/// How long a render will still take, from how long its parts took so far.
///
/// The parts of a call differ: twelve cameras at one time, two at another. So what is measured is
/// not frames a second but seconds for a unit of expected work, which each segment has its own
/// amount of.
struct CostModel: Sendable {
  /// What each segment costs, in a unit of no matter.
  private let work: [Double]
  /// The part of each segment that is done, 0...1.
  private var done: [Double]
  private let frameCounts: [Int]
  /// The work of the soundtrack without its pieces, in the same unit.
  private let soundWork: Double
  private var soundDone: Double
  /// The work of each piece of the sound, 0 once it is there.
  private var pieces: [Double]
  private let pieceWork: Double
  /// The seconds from the beginning of the render to that of encoding its finished pieces; nil before.
  private var soundBegan: Double?
  private var measured: (work: Double, seconds: Double) = (0, 0)
  private var sound: (work: Double, seconds: Double) = (0, 0)
  /// The processor time that workers have taken for sound, where it is known.
  var soundProcessorSeconds = 0.0

  /// The model of segments of `frameCounts` frames which cost `work` each, and of a soundtrack, which is encoded from
  /// `pieces` if there are any.
  init(work: [Double], frameCounts: [Int], soundWork: Double, pieces: [Double] = []) {
    (self.work, self.frameCounts, self.soundWork) = (work, frameCounts, soundWork)
    (self.pieces, pieceWork) = (pieces, pieces.reduce(0, +))
    done = Array(repeating: 0, count: work.count)
    soundDone = soundWork > 0 ? 0 : 1
  }

  /// Notes how many frames of a segment need not be made, because they are there from before.
  mutating func reuse(segment: Int, frames: Int) {
    guard frameCounts[segment] > 0 else { return }
    done[segment] = min(1, done[segment] + Double(frames) / Double(frameCounts[segment]))
  }

  /// Notes that the soundtrack is there from before.
  mutating func reuseSoundtrack() {
    soundDone = 1
    for piece in pieces.indices { pieces[piece] = 0 }
  }

  /// Notes that a piece of the sound is there, which took a worker `seconds`; nil where it was there before.
  mutating func finish(piece: Int, seconds: Double? = nil) {
    guard pieces.indices.contains(piece), pieces[piece] > 0 else { return }
    if let seconds { sound = (sound.work + pieces[piece], sound.seconds + seconds) }
    pieces[piece] = 0
  }

  /// Notes that `frames` further frames of a segment took a worker `seconds`.
  mutating func advance(segment: Int, frames: Int, seconds: Double) {
    guard done.indices.contains(segment), frameCounts[segment] > 0, seconds >= 0 else { return }
    let part = min(1 - done[segment], Double(frames) / Double(frameCounts[segment]))
    done[segment] += part
    measured.work += part * work[segment]
    measured.seconds += seconds
  }

  /// Notes that a segment has to be made from its beginning again.
  mutating func restart(segment: Int) { done[segment] = 0 }

  /// Notes that a segment is finished.
  mutating func finish(segment: Int) { done[segment] = 1 }

  /// Notes that the soundtrack is mixed as far as `part`, 0...1, after that many seconds.
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

  /// The part of all work that is done, 0...1.
  var fraction: Double {
    let all = work.reduce(soundWork + pieceWork, +)
    guard all > 0 else { return isDone ? 1 : 0 }
    let made = zip(work, done).reduce(soundMade) { $0 + $1.0 * $1.1 }
    return min(1, made / all)
  }

  /// Whether all pictures are made, where there are any.
  var hasAllPictures: Bool { done.allSatisfy { $0 == 1 } }

  /// The work that is done for the sound and its pieces.
  private var soundMade: Double { soundWork * soundDone + pieceWork - pieces.reduce(0, +) }

  /// The part of the soundtrack that is done where there are no pictures; nil where there are.
  var onlySound: Double? {
    work.isEmpty ? (isDone ? 1 : min(1, soundMade / (soundWork + pieceWork))) : nil
  }

  /// The frames that are done.
  var frames: Int {
    zip(done, frameCounts).reduce(0) { $0 + Int(saturating: ($1.0 * Double($1.1)).rounded()) }
  }

  /// Seconds that a segment takes a worker, from what was measured; nil before anything was.
  func seconds(segment: Int) -> Double? {
    measured.work > 0 ? work[segment] * measured.seconds / measured.work : nil
  }

  /// Seconds until `workers` have done the rest; nil before anything was measured.
  func remaining(workers: Int) -> Double? {
    guard measured.work > 0 || (sound.work > 0 && done.allSatisfy { $0 == 1 }) else {
      return isDone ? 0 : nil
    }
    let pace = measured.work > 0 ? measured.seconds / measured.work : 0
    var parts = zip(work, done).map { $0 * (1 - $1) * pace }.filter { $0 > 0 }
    let soundPace = sound.work > 0 ? sound.seconds / sound.work : pace
    let mixing = pieces.reduce(0, +) * soundPace
    parts.append(soundWork * (1 - soundDone) * soundPace)
    // No better than sharing evenly, and no better than the longest part alone; the sound is encoded after its pieces.
    let even = (parts.reduce(0, +) + mixing) / Double(max(1, workers))
    return max(even, parts.max() ?? 0, mixing / Double(max(1, workers)) + (parts.last ?? 0))
  }

  private var isDone: Bool { soundDone == 1 && pieces.allSatisfy { $0 == 0 } && hasAllPictures }
}
