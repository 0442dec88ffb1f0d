import TesseraJobs
import TesseraMedia
import TesseraPlan
import TesseraTimeline

extension RenditionPlan {
  /// The frames on either side of a segment's beginning that are encoded with both segments; none
  /// where the output begins or ends.
  package func joint(before number: Int) -> Range<Int> {
    guard number < segments.count else { return plan.frames.upperBound..<plan.frames.upperBound }
    let (first, video) = (segments[number].lowerBound, plan.output.video)
    return number > 0 ? (first - video.lead)..<(first + video.follow) : first..<first
  }

  /// All frames that are encoded for a segment.
  package func encodedFrames(of number: Int) -> Range<Int> {
    joint(before: number).lowerBound..<joint(before: number + 1).upperBound
  }

  /// The frames before which a run is cut: where joints begin and end.
  package var cuts: [Int] {
    segments.indices.dropFirst().flatMap { number in
      let joint = joint(before: number)
      return joint.isEmpty ? [joint.lowerBound] : [joint.lowerBound, joint.upperBound]
    }
  }
}
