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
  /// What the soundtrack takes of a worker's time, in the same unit.
  private let soundWork: Double
  private var soundDone: Double
  private var measured: (work: Double, seconds: Double) = (0, 0)
  private var sound: (work: Double, seconds: Double) = (0, 0)
  /// The processor time that workers have taken for sound, where it is known.
  var soundProcessorSeconds = 0.0

  /// The model of segments of `frameCounts` frames which cost `work` each, and of a soundtrack.
  init(work: [Double], frameCounts: [Int], soundWork: Double) {
    (self.work, self.frameCounts, self.soundWork) = (work, frameCounts, soundWork)
    done = Array(repeating: 0, count: work.count)
    soundDone = soundWork > 0 ? 0 : 1
  }

  /// Notes how many frames of a segment need not be made, because they are there from before.
  mutating func reuse(segment: Int, frames: Int) {
    guard frameCounts[segment] > 0 else { return }
    done[segment] = min(1, done[segment] + Double(frames) / Double(frameCounts[segment]))
  }

  /// Notes that the soundtrack is there from before.
  mutating func reuseSoundtrack() { soundDone = 1 }

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
    soundDone = min(1, max(soundDone, part))
    sound = (soundWork * soundDone, seconds)
  }

  /// The part of all work that is done, 0...1.
  var fraction: Double {
    let all = work.reduce(soundWork, +)
    guard all > 0 else { return isDone ? 1 : 0 }
    let made = zip(work, done).reduce(soundWork * soundDone) { $0 + $1.0 * $1.1 }
    return min(1, made / all)
  }

  /// Whether all pictures are made, where there are any.
  var hasAllPictures: Bool { done.allSatisfy { $0 == 1 } }

  /// The part of the soundtrack that is done where there are no pictures; nil where there are.
  var onlySound: Double? { work.isEmpty ? soundDone : nil }

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
    if soundDone < 1 {
      let soundPace = sound.work > 0 ? sound.seconds / sound.work : pace
      parts.append(soundWork * (1 - soundDone) * soundPace)
    }
    // No better than sharing evenly, and no better than the longest part alone.
    let even = parts.reduce(0, +) / Double(max(1, workers))
    return max(even, parts.max() ?? 0)
  }

  private var isDone: Bool { soundDone == 1 && hasAllPictures }
}
