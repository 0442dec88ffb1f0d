import TesseraCompositor
import TesseraMedia

/// Encodes canvases into a segment's file, on one thread at a time.
///
/// It is given more frames than the segment has, so that the encoder knows what comes before and what
/// follows; what lies outside is dropped.
final class SegmentEncoder: @unchecked Sendable {
  // Sendable because the encoder's thread alone encodes, and has ended before `finish`.
  private let encoder: VideoEncoder
  private var writer: PacketFileWriter
  /// The segment's frames, counted from the output's first.
  private let frames: Range<Int>
  private let first: Int
  /// Whether keyframes are asked for: the encoder makes them as it is asked to.
  private let placesKeyframes: Bool
  /// The frames from one of them to the next in a segment that its groups of pictures do not fill;
  /// nil where the encoder counts them.
  private let spacing: Int?

  /// What encodes segment `number` of `work` into the file at `path`.
  init(_ work: WorkPlan, number: Int, digest: String, path: String) throws(FFmpegError) {
    let encoder = try VideoEncoder.open(work.plan.output.video)
    let segment = work.segments[number]
    first = work.plan.frames.lowerBound
    frames = (segment.lowerBound - first)..<(segment.upperBound - first)
    let video = work.plan.output.video
    placesKeyframes = video.lead > 0
    // The first segment is longer than its groups by the lead.
    let (rest, groups) = (
      frames.count % video.keyframeInterval, frames.count / video.keyframeInterval + 1
    )
    let isFollowed = number + 1 < work.segments.count
    spacing = isFollowed && rest > 0 ? (frames.count - 1) / groups + 1 : nil
    writer = try PacketFileWriter.create(
      path,
      head: PacketFile.Head(
        digest: digest, segment: number,
        range: Int64(frames.lowerBound)..<Int64(frames.upperBound),
        parameters: try encoder.parameters()))
    self.encoder = consume encoder
  }

  /// Encodes `canvas`, which is frame number `frame` of the timeline.
  func encode(_ canvas: borrowing Canvas, frame: Int) throws(FFmpegError) {
    let number = frame - first
    let isBoundary = number == frames.lowerBound || number == frames.upperBound
    let isInside = spacing.map { (number - frames.lowerBound) % $0 == 0 } ?? false
    let isKeyframe = placesKeyframes && (isBoundary || isInside)
    let packets = try canvas.withPlanes { luma, blue, red throws(FFmpegError) in
      try encoder.encode(luma: luma, blue: blue, red: red, number: number, isKeyframe: isKeyframe)
    }
    for packet in packets { try writer.append(packet) }
  }

  /// Ends the file with `note`.
  func finish(_ note: SegmentNote) throws(FFmpegError) {
    for packet in try encoder.finish() { try writer.append(packet) }
    try writer.finish(note: note.text)
  }
}
