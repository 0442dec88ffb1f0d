import TesseraCodecs
import TesseraCompositor
import TesseraPlan
import TesseraProof
import TesseraTimeline

/// Encodes canvases into the file of a segment, on one thread at a time.
///
/// The encoder also receives the frames around the segment, so that it has the context that
/// continuous encoding would have. Packets of those frames are dropped.
final class SegmentEncoder: @unchecked Sendable {
  // Sendable, because only the encoder's thread encodes, and it is idle when `finish` is called.
  private let encoder: VideoEncoder
  private var writer: PacketFileWriter
  private let place: SegmentFrames
  var number: Int { place.number }
  /// True if each keyframe is requested; false for encoders that place keyframes by their interval.
  private let placesKeyframes: Bool
  /// The measurements of the canvases; nil if no proof is recorded.
  private var marks: MeasurementWriter?
  private var motion = MotionMeter()
  /// Number of frames between two overviews in the measurements: half a second.
  private let overviewInterval: Int

  /// Opens an encoder for the segment at `place`, with the settings `video`, that writes to the
  /// file at `path`.
  ///
  /// - Parameters:
  ///   - video: the encoder's settings.
  ///   - place: the encoded frames and keyframes.
  ///   - digest: the digest of the segment's recipe, which the file stores.
  ///   - path: the file to write.
  ///   - isFrugal: true if other outputs are encoded at the same time.
  ///   - isProven: true to record measurements of the canvases.
  /// - Throws: `FFmpegError` if the encoder or the file cannot be opened.
  init(
    _ video: VideoEncoderSettings, _ place: SegmentFrames, digest: String, path: String,
    isFrugal: Bool = false, isProven: Bool = false
  ) throws(FFmpegError) {
    let encoder = try VideoEncoder.open(
      video, interval: place.interval, isFrugal: isFrugal)
    self.place = place
    marks = isProven ? MeasurementWriter() : nil
    let rate = video.frameRate
    overviewInterval = max(1, rate.numerator / (2 * rate.denominator))
    placesKeyframes = video.lead > 0
    writer = try PacketFileWriter.create(
      path,
      head: PacketFile.Header(
        digest: digest, segment: place.number,
        range: Int64(place.frames.lowerBound)..<Int64(place.frames.upperBound),
        parameters: try encoder.parameters()))
    self.encoder = consume encoder
  }

  /// Encodes `canvas`, which is frame `frame` of the output and shows `tiles`. `isSame` is true if
  /// the canvas equals the previous one.
  func encode(
    _ canvas: borrowing Canvas, frame: Int, _ tiles: [ProofTile], isSame: Bool
  ) throws(FFmpegError) {
    let (number, frames) = (frame - place.first, place.frames)
    let isBoundary = number == frames.lowerBound || number == frames.upperBound
    let isInside = place.keyframes.contains(number - frames.lowerBound)
    let isKeyframe = placesKeyframes && (isBoundary || isInside)
    try canvas.withPlanes { luma, blue, red throws(FFmpegError) in
      try encoder.encode(
        luma: luma, blue: blue, red: red, number: number, isKeyframe: isKeyframe
      ) { packet throws(FFmpegError) in try writer.append(packet) }
    }
    guard marks != nil else { return }
    if frames.contains(number) {
      mark(canvas, number - frames.lowerBound, tiles, isSame)
    } else if number == frames.lowerBound - 1 {
      _ = canvas.withPlanes { luma, _, _ in motion.see(luma) }
    }
  }

  private func mark(
    _ canvas: borrowing Canvas, _ number: Int, _ tiles: [ProofTile], _ isSame: Bool
  ) {
    guard var writer = marks.take() else { return }
    defer { marks = writer }
    let hasOverview = number.isMultiple(of: overviewInterval)
    guard !isSame || hasOverview || writer.moves(tiles) else { return writer.repeatLast() }
    writer.append(
      canvas.withPlanes {
        var marks = CanvasMeasurements(tiles, luma: $0, blue: $1, red: $2, overview: hasOverview)
        if !isSame { marks.motion = MotionMeter.byte(motion.see($0) ?? 0) }
        return marks
      })
  }

  /// Flushes the encoder and finishes the file with `note` and the measurements of the canvases.
  func finish(_ note: SegmentReport) throws(FFmpegError) {
    try encoder.finish { packet throws(FFmpegError) in try writer.append(packet) }
    var note = note
    note.marks = marks?.bytes
    try writer.finish(note: note.text)
  }
}
