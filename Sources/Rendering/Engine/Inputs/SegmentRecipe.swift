import TesseraMedia

/// Where a segment lies in the output, and what that means for its encoder.
struct SegmentPlace: Hashable, Sendable, Encodable {
  /// Its number.
  let number: Int
  /// Its frames, counted from the output's first.
  let frames: Range<Int>
  /// All frames that are encoded for it, counted in the same way.
  let encoded: Range<Int>
  /// The frames from one keyframe to the next in a segment that its groups of pictures do not fill;
  /// nil where the encoder counts them.
  let spacing: Int?
}

/// What a segment's file is made from.
struct SegmentRecipe: Sendable, Encodable {
  /// The program.
  let build: String
  /// Where it lies.
  let place: SegmentPlace
  /// What its pictures are made from.
  let input: SegmentInput
  /// What it is made without, as its note says.
  let losses: [CrashLoss]
}

/// What the file of the sound is made from.
struct SoundRecipe: Sendable, Encodable {
  /// The program.
  let build: String
  /// What is mixed and how it is encoded.
  let input: SoundInput
  /// What it is made without, as its note says.
  let losses: [CrashLoss]
}

extension WorkPlan {
  /// Where segment `number` lies.
  func place(of number: Int) -> SegmentPlace {
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
  func digest(of number: Int, losses: [CrashLoss]) -> String {
    guard !losses.isEmpty else { return digests[number] }
    var inputs = SegmentInputs(plan)
    return digest(of: number, losses: losses, &inputs)
  }

  func digest(of number: Int, losses: [CrashLoss], _ inputs: inout SegmentInputs) -> String {
    ContentDigest.of(
      SegmentRecipe(
        build: Self.build, place: place(of: number),
        input: inputs.input(for: encodedFrames(of: number), without: losses), losses: losses))
  }

  /// What the sound is made from, if workers lost so much of it.
  func soundtrackDigest(losses: [CrashLoss]) -> String {
    guard !losses.isEmpty else { return soundtrackDigest }
    return Self.soundtrackDigest(plan, losses: losses)
  }

  static func soundtrackDigest(_ plan: Plan, losses: [CrashLoss]) -> String {
    ContentDigest.of(
      SoundRecipe(build: build, input: plan.soundInput(without: losses), losses: losses))
  }
}
