import TesseraJobs
import TesseraMedia
package import TesseraPlan
package import TesseraSystem

/// Where a segment lies in the output, and what that means for its encoder.
package struct SegmentPlace: Hashable, Sendable, Encodable {
  /// Its number.
  package let number: Int
  /// Its frames, counted from the output's first.
  package let frames: Range<Int>
  /// All frames that are encoded for it, counted in the same way.
  package let encoded: Range<Int>
  /// The frames from one keyframe to the next in a segment that its groups of pictures do not fill;
  /// nil where the encoder counts them.
  package let spacing: Int?
}

/// What a segment's file is made from.
package struct SegmentRecipe: Sendable, Encodable {
  /// The program.
  package let build: String
  /// Where it lies.
  package let place: SegmentPlace
  /// What its pictures are made from.
  package let input: SegmentInput
  /// What it is made without, as its note says.
  package let losses: [CrashLoss]
}

/// What the file of the sound is made from.
package struct SoundRecipe: Sendable, Encodable {
  /// The program.
  package let build: String
  /// What is mixed and how it is encoded.
  package let input: SoundInput
  /// What it is made without, as its note says.
  package let losses: [CrashLoss]
}

extension RenditionPlan {
  /// Where segment `number` lies.
  package func place(of number: Int) -> SegmentPlace {
    let first = plan.frames.lowerBound
    let frames = segments[number].moved(by: -first)
    let group = plan.output.video.keyframeInterval
    // The first segment is longer than its groups by the lead.
    let (rest, groups) = (frames.count % group, frames.count / group + 1)
    let isFollowed = number + 1 < segments.count
    return SegmentPlace(
      number: number, frames: frames, encoded: encodedFrames(of: number).moved(by: -first),
      spacing: isFollowed && rest > 0 ? (frames.count - 1) / groups + 1 : nil)
  }

  /// What segment `number` is made from, if workers lost so much of it.
  package func digest(of number: Int, losses: [CrashLoss]) -> String {
    guard !losses.isEmpty else { return digests[number] }
    var inputs = SegmentInputs(plan)
    return digest(of: number, losses: losses, &inputs)
  }

  package func digest(of number: Int, losses: [CrashLoss], _ inputs: inout SegmentInputs) -> String
  {
    ContentDigest.of(
      SegmentRecipe(
        build: WorkPlan.build, place: place(of: number),
        input: inputs.input(for: encodedFrames(of: number), without: losses), losses: losses))
  }

  /// What the sound is made from, if workers lost so much of it.
  package func soundtrackDigest(losses: [CrashLoss]) -> String {
    guard !losses.isEmpty else { return soundtrackDigest }
    return Self.soundtrackDigest(plan, losses: losses)
  }

  package static func soundtrackDigest(_ plan: Plan, losses: [CrashLoss]) -> String {
    ContentDigest.of(
      SoundRecipe(
        build: WorkPlan.build, input: plan.soundInput(without: losses).anywhere, losses: losses))
  }
}
