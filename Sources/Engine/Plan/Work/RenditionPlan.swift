package import TesseraCodecs
package import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// One output file of a call, or one HLS rung of it, and every decision about rendering it:
/// segments, keyframes, and the digest of each piece. The decisions do not depend on the other
/// renditions.
///
/// The terms are explained in `WorkPlan.swift`. ``SegmentRecipe`` decides the bytes of a segment.
package struct RenditionPlan: Sendable, Codable {
  /// The path of the file, or of the HLS folder; empty for the main rendition, whose path is given
  /// with the work folder.
  package var output = ""
  /// The name of the rung in the HLS folder ``output``; nil for a file.
  package var rung: String?
  package var plan: Plan
  /// Frames of the output for each segment; empty for sound alone.
  package let segments: [Range<Int>]
  /// The largest keyframe interval of each segment, in frames.
  let intervals: [Int]
  /// The digest of each segment's recipe without crash losses.
  package private(set) var digests: [String] = []
  /// The digest of the soundtrack's recipe without crash losses.
  package private(set) var soundtrackDigest = ""
  /// The digest of everything that is mixed, without crash losses.
  let mixDigest: String
  /// The pieces in which the sound is mixed.
  package let soundPieces: SoundPieceDivision
  /// The estimated cost of each segment.
  package private(set) var costs: [Cost] = []
  package var container: OutputContainer

  /// The estimated cost of a segment, in pixels.
  package struct Cost: Hashable, Sendable, Codable {
    /// Pixels that are decoded for the segment.
    package let decoded: Double
    /// Three times the pixels of the canvases, which are composed and encoded.
    package let drawn: Double
    /// Pixels that are decoded but not shown if a run starts with the segment.
    package let preroll: Double

    /// The cost of the segment if the same run rendered the one before it.
    package var work: Double { decoded + drawn }
  }

  /// Decides how `plan` is rendered. A `container` for sound alone gets no segments. A piece of
  /// sound has at least `soundPiece` sheets (about 1 s each).
  package init(
    _ plan: Plan, container: OutputContainer = .mp4, soundPiece: Int = SoundPieceDivision.shortest
  ) {
    (self.plan, self.container) = (plan, container)
    mixDigest = Self.mixDigest(plan, losses: [])
    soundPieces = SoundPieceDivision(
      sampleCount: plan.soundInput().mixedCount, shortest: soundPiece)
    let found = container.hasPictures ? plan.segments : []
    (segments, intervals) = (found.map(\.frames), found.map(\.interval))
    soundtrackDigest = soundtrackDigest(mixDigest, [])
    guard !segments.isEmpty else { return }
    var inputs = SegmentInputBuilder(plan)
    let needs = plan.decodeCosts(inputs.wanted)
    for number in segments.indices {
      digests.append(digest(of: number, losses: [], &inputs))
      costs.append(plan.cost(of: plan.cut.call(encodedFrames(of: number)), needs))
    }
  }

  /// The destination of the rendition: a file, or a rung of an HLS folder.
  package var target: RenderTarget { rung.map { .rung($0, of: output) } ?? .file(output) }

  /// The suffix that distinguishes the rendition's piece files from those of other renditions;
  /// empty for the main rendition.
  package var mark: String {
    let name = rung.map { "\(output)/\($0)" } ?? output
    return name.isEmpty ? "" : "-" + SHA256.digest(Array(name.utf8)).prefix(6).hexadecimal
  }

  /// Returns the file name of segment `number`: the first 16 digits of its digest, and a counter if
  /// earlier segments have the same digest.
  package func pieceName(of number: Int) -> String {
    let digest = digests[number]
    let count = digests[..<number].count { $0 == digest }
    return digest.prefix(16) + (count > 0 ? ".\(count)" : "")
  }

  /// Returns the file name of piece `number` of the sound: the first 16 digits of its digest.
  package func soundPieceName(of number: Int) -> String {
    String(digest(ofSoundPiece: number, losses: []).prefix(16))
  }

  /// Returns the time of the call at which frame `frame` of the output starts.
  func time(ofFrame frame: Int) -> MediaTime {
    plan.output.video.frameRate.time(ofFrame: callFrame(frame))
  }

  /// The time of the call at which each segment starts, in order.
  var starts: [MediaTime] { segments.map { time(ofFrame: $0.lowerBound) } }

  /// Returns the time of the call in the middle of `segment`.
  func middle(of segment: Range<Int>) -> MediaTime {
    let rate = plan.output.video.frameRate
    let (first, last) = (callFrame(segment.lowerBound), callFrame(segment.upperBound - 1) + 1)
    let (start, end) = (rate.time(ofFrame: first), rate.time(ofFrame: last))
    return MediaTime(nanoseconds: start.nanoseconds +| (end - start).nanoseconds / 2)
  }
}
