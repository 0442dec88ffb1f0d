import TesseraMedia
package import TesseraSystem
package import TesseraTimeline

/// Where a segment lies in the output, and what that means for its encoder.
package struct SegmentPlace: Sendable, Encodable {
  /// Its number.
  @Uncovered package var number: Int
  /// The number in the output of the first frame that is encoded for it.
  @Uncovered package var first: Int
  /// Its frames, counted from that one.
  package let frames: Range<Int>
  /// How many frames are encoded for it.
  package let encoded: Int
  /// The frames from one keyframe to the next at most, for an encoder that is not asked for each.
  package let interval: Int
  /// The frames after the segment's first one that are keyframes, counted from that one.
  package let keyframes: [Int]
}

/// What a segment's file is made from.
package struct SegmentRecipe: Sendable, Encodable {
  /// The program.
  package let build: String
  /// Where it lies.
  package let place: SegmentPlace
  /// The frames that are encoded, counted from the first: where the call is cut, some are left out.
  package let shown: FrameCut
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
    let encoded = encodedFrames(of: number)
    let frames = segments[number].moved(by: -encoded.lowerBound)
    let (video, interval) = (plan.output.video, intervals[number])
    return SegmentPlace(
      number: number, first: encoded.lowerBound, frames: frames, encoded: encoded.count,
      // What encoders write about themselves is the same in all segments.
      interval: video.lead > 0 ? video.keyframeInterval + video.lead + video.follow : interval,
      keyframes: Self.keyframes(
        in: frames.count, every: interval, slack: video.lead + video.follow,
        isFollowed: number + 1 < segments.count))
  }

  /// The keyframes within a segment of `count` frames: one `every` so often, where the first group
  /// may be longer by the `slack` of joints, else in equal parts.
  static func keyframes(in count: Int, every: Int, slack: Int, isFollowed: Bool) -> [Int] {
    guard isFollowed else { return Array(stride(from: every, to: count, by: every)) }
    let parts = max(1, (count - slack + every - 1) / every)
    let first = count - (parts - 1) * every
    if every...(every + slack) ~= first {
      return (1..<parts).map { first + ($0 - 1) * every }
    }
    return (1..<parts).map { $0 * count / parts }
  }

  /// What segment `number` is made from, if workers lost so much of it.
  package func digest(of number: Int, losses: [CrashLoss]) -> String {
    guard !losses.isEmpty else { return digests[number] }
    var inputs = SegmentInputs(plan)
    return digest(of: number, losses: losses, &inputs)
  }

  package func digest(of number: Int, losses: [CrashLoss], _ inputs: inout SegmentInputs) -> String
  {
    let shown = shown(in: number..<number + 1)
    return ContentDigest.of(
      SegmentRecipe(
        build: WorkPlan.build, place: place(of: number),
        shown: shown.counted(from: shown.lowerBound),
        input: inputs.input(for: shown, without: losses), losses: losses))
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
