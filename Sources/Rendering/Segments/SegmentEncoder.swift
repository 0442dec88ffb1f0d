import TesseraCompositor
import TesseraJobs
import TesseraMedia
import TesseraPlan

/// Encodes canvases into a segment's file, on one thread at a time.
///
/// It is given more frames than the segment has, so that the encoder knows what comes before and
/// what follows; what lies outside is dropped.
final class SegmentEncoder: @unchecked Sendable {
  // Sendable because the encoder's thread alone encodes, and is idle when `finish` is called.
  private let encoder: VideoEncoder
  private var writer: PacketFileWriter
  private let place: SegmentPlace
  /// Whether keyframes are asked for: the encoder makes them as it is asked to.
  private let placesKeyframes: Bool

  /// What encodes the segment at `place` as `video` says into the file at `path`. Where it
  /// `isFrugal`, others are encoded beside it.
  init(
    _ video: VideoEncoderSettings, _ place: SegmentPlace, digest: String, path: String,
    isFrugal: Bool = false
  ) throws(FFmpegError) {
    let encoder = try VideoEncoder.open(
      video, interval: place.interval, isFrugal: isFrugal)
    self.place = place
    placesKeyframes = video.lead > 0
    writer = try PacketFileWriter.create(
      path,
      head: PacketFile.Head(
        digest: digest, segment: place.number,
        range: Int64(place.frames.lowerBound)..<Int64(place.frames.upperBound),
        parameters: try encoder.parameters()))
    self.encoder = consume encoder
  }

  /// Encodes `canvas`, which is the output's frame number `frame`.
  func encode(_ canvas: borrowing Canvas, frame: Int) throws(FFmpegError) {
    let (number, frames) = (frame - place.first, place.frames)
    let isBoundary = number == frames.lowerBound || number == frames.upperBound
    let isInside = place.keyframes.contains(number - frames.lowerBound)
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
