package import TesseraCodecs
package import TesseraSoundtrack
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
  /// The digest of what is mixed.
  package let mix: String
  /// The pieces in which it is mixed.
  package let pieces: SoundPieces
  /// What of the mix is kept; nil where that is all of it.
  package let splices: SoundCut?
  /// How it is encoded.
  package let encoder: SoundEncoderSettings
  /// What it is made without, as its note says.
  package let losses: [CrashLoss]
}

/// The input of the file of a piece of the sound.
package struct SoundPieceRecipe: Sendable, Encodable {
  /// The digest of what is mixed.
  package let mix: String
  /// The pieces of the mix.
  package let pieces: SoundPieces
  /// Which of them it is.
  package let number: Int
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
    losses.isEmpty
      ? soundtrackDigest : soundtrackDigest(Self.mixDigest(plan, losses: losses), losses)
  }

  func soundtrackDigest(_ mix: String, _ losses: [CrashLoss]) -> String {
    let input = plan.soundInput()
    return ContentDigest.of(
      SoundRecipe(
        build: WorkPlan.build, mix: mix, pieces: soundPieces, splices: input.splices,
        encoder: input.encoder, losses: losses))
  }

  /// The digest of the input of piece `number` of the sound without `losses`.
  package func digest(ofSoundPiece number: Int, losses: [CrashLoss]) -> String {
    let losses = self.losses(losses, inSoundPiece: number)
    return ContentDigest.of(
      SoundPieceRecipe(
        mix: losses.isEmpty ? mixDigest : Self.mixDigest(plan, losses: losses),
        pieces: soundPieces, number: number, losses: losses))
  }

  /// Those of `losses` that piece `number` of the sound is made without.
  package func losses(_ losses: [CrashLoss], inSoundPiece number: Int) -> [CrashLoss] {
    guard !losses.isEmpty else { return [] }
    let end =
      plan.soundInput().origin
      + MediaTime(sample: soundPieces.decoded(of: number).upperBound, rate: Soundtrack.sampleRate)
    return losses.filter { $0.end < end }
  }

  /// The digest of everything that the sound is mixed from.
  static func mixDigest(_ plan: Plan, losses: [CrashLoss]) -> String {
    ContentDigest.of(
      SoundMixRecipe(build: WorkPlan.build, input: plan.soundInput(without: losses).anywhere))
  }
}

/// The input of a mix, however it is encoded.
private struct SoundMixRecipe: Encodable {
  let build: String
  let mixedCount: Int64
  let voices: [SoundInput.Voice]

  init(build: String, input: SoundInput) {
    (self.build, mixedCount, voices) = (build, input.mixedCount, input.voices)
  }
}
