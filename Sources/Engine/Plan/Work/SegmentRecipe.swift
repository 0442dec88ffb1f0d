package import TesseraCodecs
package import TesseraSoundtrack
package import TesseraSystem
package import TesseraTimeline

/// The frames that are encoded for a segment, and its keyframes.
package struct SegmentFrames: Sendable, Encodable {
  /// The number of the segment in its rendition.
  @ExcludedFromDigest package var number: Int
  /// The frame of the output that is encoded first for the segment.
  @ExcludedFromDigest package var first: Int
  /// The segment's own frames, counted from the first encoded frame.
  package let frames: Range<Int>
  /// Number of frames that are encoded for the segment, joints included.
  package let encoded: Int
  /// The keyframe interval that the encoder is opened with. It decides the keyframes of encoders
  /// that take no requests.
  package let interval: Int
  /// The requested keyframes after the segment's first frame, counted from that frame.
  package let keyframes: [Int]
}

/// Everything that the bytes of a segment's file depend on. Segments with equal digests of this
/// value have equal bytes, and finished ones are reused.
package struct SegmentRecipe: Sendable, Encodable {
  /// The program that encodes it: ``WorkPlan/build``.
  package let build: String
  /// The frames that are encoded, and the keyframes among them.
  package let place: SegmentFrames
  /// The composed frames, counted from the first; frames that the output cuts are left out.
  package let shown: FrameSelection
  /// Everything that the pictures are drawn from.
  package let input: SegmentInput
  /// The crash losses that apply to the segment: tracks that are given up from a time on. The
  /// segment's `SegmentReport` records them, too.
  package let losses: [CrashedTrackLoss]
}

/// Everything that the bytes of the soundtrack's file depend on.
package struct SoundRecipe: Sendable, Encodable {
  /// The program that encodes it: ``WorkPlan/build``.
  package let build: String
  /// The digest of everything that is mixed.
  package let mix: String
  /// The pieces in which the sound is mixed.
  package let pieces: SoundPieceDivision
  /// The parts of the mix that are kept; nil keeps all of it.
  package let splices: SampleSelection?
  package let encoder: SoundEncoderSettings
  /// The crash losses that apply to the sound: voices that are given up from a time on. The file's
  /// `SoundReport` records them, too.
  package let losses: [CrashedTrackLoss]
}

/// Everything that the bytes of a sound piece's file depend on.
package struct SoundPieceRecipe: Sendable, Encodable {
  /// The digest of everything that is mixed.
  package let mix: String
  /// The division of the mix into pieces.
  package let pieces: SoundPieceDivision
  /// The number of the piece in the division of the mix.
  package let number: Int
  /// The crash losses that apply to the piece: voices that are given up from a time on. The file's
  /// `SoundReport` records them, too.
  package let losses: [CrashedTrackLoss]
}

extension RenditionPlan {
  /// Returns the encoded frames and the keyframes of segment `number`.
  package func place(of number: Int) -> SegmentFrames {
    let encoded = encodedFrames(of: number)
    let frames = segments[number].moved(by: -encoded.lowerBound)
    let (video, interval) = (plan.output.video, intervals[number])
    return SegmentFrames(
      number: number, first: encoded.lowerBound, frames: frames, encoded: encoded.count,
      // A common interval, so that the headers that encoders write are the same in all segments.
      interval: video.lead > 0 ? video.keyframeInterval + video.lead + video.follow : interval,
      keyframes: Self.keyframes(
        in: frames.count, every: interval, slack: video.lead + video.follow,
        isFollowed: number + 1 < segments.count))
  }

  /// Returns the keyframes after the first frame in a segment of `count` frames.
  ///
  /// The interval is `every`. If another segment follows, the first group of pictures takes the
  /// remainder, up to `slack` frames (the joint) more than `every`. If the remainder does not fit,
  /// all groups have equal lengths.
  static func keyframes(in count: Int, every: Int, slack: Int, isFollowed: Bool) -> [Int] {
    guard isFollowed else { return Array(stride(from: every, to: count, by: every)) }
    let parts = max(1, (count - slack + every - 1) / every)
    let first = count - (parts - 1) * every
    if every...(every + slack) ~= first {
      return (1..<parts).map { first + ($0 - 1) * every }
    }
    return (1..<parts).map { $0 * count / parts }
  }

  /// Returns the digest of segment `number`'s recipe with these crash losses. Equal digests mean
  /// equal bytes.
  package func digest(of number: Int, losses: [CrashedTrackLoss]) -> String {
    guard !losses.isEmpty else { return digests[number] }
    var inputs = SegmentInputBuilder(plan)
    return digest(of: number, losses: losses, &inputs)
  }

  package func digest(
    of number: Int, losses: [CrashedTrackLoss], _ inputs: inout SegmentInputBuilder
  )
    -> String
  {
    let shown = shown(in: number..<number + 1)
    return ContentDigester.of(
      SegmentRecipe(
        build: WorkPlan.build, place: place(of: number),
        shown: shown.counted(from: shown.lowerBound),
        input: inputs.input(for: shown, without: losses), losses: losses))
  }

  /// Returns the digest of the soundtrack's recipe with these crash losses. Equal digests mean
  /// equal bytes.
  package func soundtrackDigest(losses: [CrashedTrackLoss]) -> String {
    losses.isEmpty
      ? soundtrackDigest : soundtrackDigest(Self.mixDigest(plan, losses: losses), losses)
  }

  func soundtrackDigest(_ mix: String, _ losses: [CrashedTrackLoss]) -> String {
    let input = plan.soundInput()
    return ContentDigester.of(
      SoundRecipe(
        build: WorkPlan.build, mix: mix, pieces: soundPieces, splices: input.splices,
        encoder: input.encoder, losses: losses))
  }

  /// Returns the digest of the recipe of piece `number` of the sound with these crash losses. Equal
  /// digests mean equal bytes.
  package func digest(ofSoundPiece number: Int, losses: [CrashedTrackLoss]) -> String {
    let losses = self.losses(losses, inSoundPiece: number)
    return ContentDigester.of(
      SoundPieceRecipe(
        mix: losses.isEmpty ? mixDigest : Self.mixDigest(plan, losses: losses),
        pieces: soundPieces, number: number, losses: losses))
  }

  /// Returns the subset of `losses` that begin before the end of piece `number` of the sound.
  package func losses(_ losses: [CrashedTrackLoss], inSoundPiece number: Int) -> [CrashedTrackLoss]
  {
    guard !losses.isEmpty else { return [] }
    let end =
      plan.soundInput().origin
      + MediaTime(sample: soundPieces.decoded(of: number).upperBound, rate: Soundtrack.sampleRate)
    return losses.filter { $0.end < end }
  }

  /// Returns the digest of everything that is mixed with these crash losses.
  static func mixDigest(_ plan: Plan, losses: [CrashedTrackLoss]) -> String {
    ContentDigester.of(
      SoundMixRecipe(build: WorkPlan.build, input: plan.soundInput(without: losses).anywhere))
  }
}

/// Everything that a mix depends on, without its encoding.
private struct SoundMixRecipe: Encodable {
  let build: String
  let mixedCount: Int64
  let voices: [SoundtrackInput.Voice]

  init(build: String, input: SoundtrackInput) {
    (self.build, mixedCount, voices) = (build, input.mixedCount, input.voices)
  }
}
