import TesseraCompositor
import TesseraMedia

/// Encodes canvases into a segment's file, on one thread at a time.
///
/// It is given more frames than the segment has, so that the encoder knows what comes before and what
/// follows; the segment begins with a keyframe, so does what follows, and what lies outside is dropped.
final class SegmentEncoder: @unchecked Sendable {
  // Sendable because the encoder's thread alone encodes, and has ended before `finish`.
  private let encoder: VideoEncoder
  private var writer: PacketFileWriter
  /// The segment's frames, counted from the output's first.
  private let frames: Range<Int>
  private let first: Int

  /// What encodes segment `number` of `work` into the file at `path`.
  init(_ work: WorkPlan, number: Int, digest: String, path: String) throws(FFmpegError) {
    let encoder = try VideoEncoder.open(work.plan.output.video)
    let segment = work.segments[number]
    first = work.plan.frames.lowerBound
    frames = (segment.lowerBound - first)..<(segment.upperBound - first)
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
    let isKeyframe = number == frames.lowerBound || number == frames.upperBound
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
