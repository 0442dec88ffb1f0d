import TesseraCodecs
package import TesseraTimeline

extension RenditionPlan {
  /// Returns the joint before segment `number`: the frames of the output around its start that are
  /// encoded for both segments. Empty at the start and the end of the output.
  package func joint(before number: Int) -> Range<Int> {
    guard number < segments.count else { return plan.cut.count..<plan.cut.count }
    let (first, video) = (segments[number].lowerBound, plan.output.video)
    return number > 0 ? (first - video.lead)..<(first + video.follow) : first..<first
  }

  /// Returns the frame of the call that `frame` of the output shows. For the output's end, returns
  /// the frame after the last one.
  package func callFrame(_ frame: Int) -> Int {
    frame < plan.cut.count ? plan.cut[frame] : plan.cut.upperBound
  }

  /// Returns all frames of the output that are encoded for segment `number`, joints included.
  package func encodedFrames(of number: Int) -> Range<Int> {
    joint(before: number).lowerBound..<joint(before: number + 1).upperBound
  }

  /// Returns the frames of the call that are encoded for `segments`, which must not be empty.
  package func shown(in segments: Range<Int>) -> FrameSelection {
    let first = encodedFrames(of: segments.lowerBound).lowerBound
    return FrameSelection(
      plan.cut.call(first..<encodedFrames(of: segments.upperBound - 1).upperBound))
  }

  /// The frames of the output at which a run is cut: the starts and ends of all joints. At a cut,
  /// pictures must look as if decoding started there, so that runs can start anywhere.
  package var cuts: [Int] {
    segments.indices.dropFirst().flatMap { number in
      let joint = joint(before: number)
      return joint.isEmpty ? [joint.lowerBound] : [joint.lowerBound, joint.upperBound]
    }
  }
}
