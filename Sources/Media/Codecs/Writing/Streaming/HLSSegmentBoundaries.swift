import CTesseraFFmpeg
import TesseraTimeline

/// The start times of the segments in all renditions: keyframes that all rungs have at equal times.
struct HLSSegmentBoundaries {
  /// The start times of the segments of a stream in ascending order, starting with 0.
  let times: [Int64]
  /// The time base of ``times``.
  let timeBase: AVRational

  /// The maximum segment duration in seconds, as far as keyframes permit: the usual recommendation
  /// for HTTP Live Streaming.
  private static let longest: Int64 = 6

  /// Chooses cuts for `rungs`, which all show the same frames.
  init(_ rungs: [VideoSegmentSequence]) {
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

  /// Selects the fewest `keyframes` that keep segments below the maximum duration.
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

extension VideoSegmentSequence {
  /// True if there is a keyframe at `time`, in units of `base`.
  fileprivate func hasKeyframe(at time: Int64, _ base: AVRational) -> Bool {
    guard let own = parameters?.timeBase.rational else { return false }
    let place = keyframes.partitioningIndex { av_compare_ts($0, own, time, base) >= 0 }
    return place < keyframes.count && av_compare_ts(keyframes[place], own, time, base) == 0
  }
}
