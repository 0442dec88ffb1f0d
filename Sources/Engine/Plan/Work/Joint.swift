import TesseraCodecs
package import TesseraTimeline

extension RenditionPlan {
  /// The frames on either side of a segment's beginning that are encoded with both segments; none
  /// where the output begins or ends.
  package func joint(before number: Int) -> Range<Int> {
    guard number < segments.count else { return plan.cut.count..<plan.cut.count }
    let (first, video) = (segments[number].lowerBound, plan.output.video)
    return number > 0 ? (first - video.lead)..<(first + video.follow) : first..<first
  }

  /// The frame of the call that the output's `frame` shows; the one after the last for its end.
  package func callFrame(_ frame: Int) -> Int {
    frame < plan.cut.count ? plan.cut[frame] : plan.cut.upperBound
  }

  /// All frames that are encoded for a segment.
  package func encodedFrames(of number: Int) -> Range<Int> {
    joint(before: number).lowerBound..<joint(before: number + 1).upperBound
  }

  /// The frames of the call that are encoded for `segments`, which are not empty.
  package func shown(in segments: Range<Int>) -> FrameCut {
    let first = encodedFrames(of: segments.lowerBound).lowerBound
    return FrameCut(plan.cut.call(first..<encodedFrames(of: segments.upperBound - 1).upperBound))
  }

  /// The frames before which a run is cut: where joints begin and end.
  package var cuts: [Int] {
    segments.indices.dropFirst().flatMap { number in
      let joint = joint(before: number)
      return joint.isEmpty ? [joint.lowerBound] : [joint.lowerBound, joint.upperBound]
    }
  }
}
