import TesseraCodecs
import TesseraCompositor
import TesseraPlan
import TesseraProof
import TesseraTimeline

/// Encodes canvases into a segment's file, on one thread at a time.
///
/// It is given more frames than the segment has, so that the encoder knows what comes before and
/// what follows; what lies outside is dropped.
final class SegmentEncoder: @unchecked Sendable {
  // Sendable because the encoder's thread alone encodes, and is idle when `finish` is called.
  private let encoder: VideoEncoder
  private var writer: PacketFileWriter
  private let place: SegmentPlace
  /// The segment's number.
  var number: Int { place.number }
  /// Whether keyframes are asked for: the encoder makes them as it is asked to.
  private let placesKeyframes: Bool
  /// What its canvases show; nil where nobody wants to know.
  private var marks: MarkWriter?
  private var motion = MotionMeter()
  /// How many frames lie between two overviews.
  private let overviewInterval: Int

  /// What encodes the segment at `place` as `video` says into the file at `path`. Where it
  /// `isFrugal`, others are encoded beside it; where it `isProven`, it is measured what is encoded.
  init(
    _ video: VideoEncoderSettings, _ place: SegmentPlace, digest: String, path: String,
    isFrugal: Bool = false, isProven: Bool = false
  ) throws(FFmpegError) {
    let encoder = try VideoEncoder.open(
      video, interval: place.interval, isFrugal: isFrugal)
    self.place = place
    marks = isProven ? MarkWriter() : nil
    let rate = video.frameRate
    overviewInterval = max(1, rate.numerator / (2 * rate.denominator))
    placesKeyframes = video.lead > 0
    writer = try PacketFileWriter.create(
      path,
      head: PacketFile.Head(
        digest: digest, segment: place.number,
        range: Int64(place.frames.lowerBound)..<Int64(place.frames.upperBound),
        parameters: try encoder.parameters()))
    self.encoder = consume encoder
  }

  /// Encodes `canvas`, which is the output's frame number `frame` and shows `tiles`; where it
  /// `isSame`, nothing has changed since the one before.
  func encode(
    _ canvas: borrowing Canvas, frame: Int, _ tiles: [MarkedTile], isSame: Bool
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
    _ canvas: borrowing Canvas, _ number: Int, _ tiles: [MarkedTile], _ isSame: Bool
  ) {
    guard var writer = marks.take() else { return }
    defer { marks = writer }
    let hasOverview = number.isMultiple(of: overviewInterval)
    guard !isSame || hasOverview || writer.moves(tiles) else { return writer.repeatLast() }
    writer.append(
      canvas.withPlanes {
        var marks = CanvasMarks(tiles, luma: $0, blue: $1, red: $2, overview: hasOverview)
        if !isSame { marks.motion = MotionMeter.byte(motion.see($0) ?? 0) }
        return marks
      })
  }

  /// Ends the file with `note`.
  func finish(_ note: SegmentNote) throws(FFmpegError) {
    try encoder.finish { packet throws(FFmpegError) in try writer.append(packet) }
    var note = note
    note.marks = marks?.bytes
    try writer.finish(note: note.text)
  }
}
