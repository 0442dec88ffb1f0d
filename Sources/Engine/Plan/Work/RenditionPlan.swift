package import TesseraCodecs
import TesseraJobs
package import TesseraSoundtrack
import TesseraSystem
import TesseraTimeline

/// One of the things that are made of a call, with all that is decided about rendering it: where it
/// is cut, and from what each piece is made. The same as where it is made alone.
package struct RenditionPlan: Sendable, Codable {
  /// The file that it becomes; empty for the main one, whose name is given with the work folder.
  package var output = ""
  /// The name of the size that it is in the folder for HTTP Live Streaming ``output``; nil where it
  /// is a file.
  package var rung: String?
  /// What is drawn when.
  package var plan: Plan
  /// The output's frames of each segment; none where there are no pictures.
  package let segments: [Range<Int>]
  /// The frames from one keyframe to the next at most in each segment.
  let intervals: [Int]
  /// What each segment is made from, losses aside.
  package private(set) var digests: [String] = []
  /// What the sound is made from, losses aside.
  package private(set) var soundtrackDigest = ""
  /// The digest of everything that the sound is mixed from, losses aside.
  let mixDigest: String
  /// The pieces in which the sound is mixed.
  package let soundPieces: SoundPieces
  /// What making each segment is expected to cost.
  package private(set) var costs: [Cost] = []
  /// The format of the output.
  package var container: OutputContainer

  /// What making a segment costs, in pixels.
  package struct Cost: Hashable, Sendable, Codable {
    /// Those that are decoded.
    package let decoded: Double
    /// Those of the canvas, which are composed and encoded.
    package let drawn: Double
    /// Those that are decoded for nothing where a run begins with it.
    package let preroll: Double

    /// What making it after the one before costs.
    package var work: Double { decoded + drawn }
  }

  /// Decides how `plan` is rendered; without segments where `container` holds only sound. A piece of
  /// sound has at least `soundPiece` sheets.
  package init(
    _ plan: Plan, container: OutputContainer = .mp4, soundPiece: Int = SoundPieces.shortest
  ) {
    (self.plan, self.container) = (plan, container)
    mixDigest = Self.mixDigest(plan, losses: [])
    soundPieces = SoundPieces(sampleCount: plan.soundInput().mixedCount, shortest: soundPiece)
    let found = container.hasPictures ? plan.segments : []
    (segments, intervals) = (found.map(\.frames), found.map(\.interval))
    soundtrackDigest = soundtrackDigest(mixDigest, [])
    guard !segments.isEmpty else { return }
    var inputs = SegmentInputs(plan)
    let needs = plan.trackNeeds(inputs.wanted)
    for number in segments.indices {
      digests.append(digest(of: number, losses: [], &inputs))
      costs.append(plan.cost(of: plan.cut.call(encodedFrames(of: number)), needs))
    }
  }

  /// What it becomes.
  package var target: RenderTarget { rung.map { .rung($0, of: output) } ?? .file(output) }

  /// What stands in the names of its pieces' files beside their numbers.
  package var mark: String {
    let name = rung.map { "\(output)/\($0)" } ?? output
    return name.isEmpty ? "" : "-" + SHA256.digest(Array(name.utf8)).prefix(6).hexadecimal
  }

  /// What the piece of segment `number` is called: what it is made from, and how many before it are
  /// made from the same, where some are.
  package func pieceName(of number: Int) -> String {
    let digest = digests[number]
    let count = digests[..<number].count { $0 == digest }
    return digest.prefix(16) + (count > 0 ? ".\(count)" : "")
  }

  /// The name of the file of piece `number` of the sound: a digest of its input.
  package func soundPieceName(of number: Int) -> String {
    String(digest(ofSoundPiece: number, losses: []).prefix(16))
  }

  /// When in the call the output's frame number `frame` begins.
  func time(ofFrame frame: Int) -> MediaTime {
    plan.output.video.frameRate.time(ofFrame: callFrame(frame))
  }

  /// When in the call each segment begins, in order.
  var starts: [MediaTime] { segments.map { time(ofFrame: $0.lowerBound) } }

  /// The middle of `segment`.
  func middle(of segment: Range<Int>) -> MediaTime {
    let rate = plan.output.video.frameRate
    let (first, last) = (callFrame(segment.lowerBound), callFrame(segment.upperBound - 1) + 1)
    let (start, end) = (rate.time(ofFrame: first), rate.time(ofFrame: last))
    return MediaTime(nanoseconds: start.nanoseconds +| (end - start).nanoseconds / 2)
  }
}
