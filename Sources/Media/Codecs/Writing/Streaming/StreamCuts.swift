import CTesseraFFmpeg
import TesseraTimeline

/// When segments begin, in all renditions: at keyframes that all rungs have at the same time.
struct StreamCuts {
  /// The times, in ascending order from 0 on.
  let times: [Int64]
  /// Their unit, in seconds.
  let timeBase: AVRational

  /// What segments last at most, in seconds, where there are keyframes for it: what players are
  /// said to work with best.
  private static let longest: Int64 = 6

  /// The cuts of rungs that show the same.
  init(_ rungs: [PictureSegments]) {
    timeBase = rungs.first?.parameters?.timeBase.rational ?? AVRational(num: 1, den: 1)
    guard let first = rungs.first else {
      times = [0]
      return
    }
    let base = timeBase
    let common = first.keyframes.filter { time in
      rungs.dropFirst().allSatisfy { $0.hasKeyframe(at: time, base) }
    }
    times = Self.cuts(at: common, until: first.frameCount, base)
  }

  /// Those of `keyframes` at which a segment has to end so as not to be too long.
  static func cuts(at keyframes: [Int64], until end: Int64, _ base: AVRational) -> [Int64] {
    var cuts: [Int64] = [0]
    let seconds = AVRational(num: 1, den: 1)
    for (index, time) in keyframes.enumerated() where time > 0 {
      let next = index + 1 < keyframes.count ? keyframes[index + 1] : end
      guard let last = cuts.last, av_compare_ts(next &- last, base, longest, seconds) > 0 else {
        continue
      }
      cuts.append(time)
    }
    return cuts
  }
}

extension PictureSegments {
  /// Whether decoding can begin with the frame at `time`.
  fileprivate func hasKeyframe(at time: Int64, _ base: AVRational) -> Bool {
    guard let own = parameters?.timeBase.rational else { return false }
    let place = keyframes.partitioningIndex { av_compare_ts($0, own, time, base) >= 0 }
    return place < keyframes.count && av_compare_ts(keyframes[place], own, time, base) == 0
  }
}
