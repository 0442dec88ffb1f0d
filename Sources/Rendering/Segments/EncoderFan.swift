import TesseraCompositor
import TesseraMedia
import TesseraPlan
import TesseraProof

/// Hands each canvas to the encoders of all segments of which it is an encoded frame, two at a
/// joint.
struct EncoderFan: ~Copyable {
  private let rendition: RenditionPlan
  private let make: (Int) throws(FFmpegError) -> SegmentEncoder
  private let stage: EncodeStage
  /// The segments to come, and those that are being encoded.
  private var upcoming: Range<Int>
  private var open: [SegmentEncoder] = []

  /// A fan for consecutive `segments`, which are encoded by what `make` returns for each.
  init(
    _ rendition: RenditionPlan, _ segments: Range<Int>,
    make: @escaping (Int) throws(FFmpegError) -> SegmentEncoder
  ) {
    (self.rendition, self.make, upcoming) = (rendition, make, segments)
    stage = EncodeStage(size: rendition.plan.output.video.size)
  }

  deinit { stage.stop() }

  /// Hands on `canvas`, which is the output's frame number `frame` and shows `tiles`; what `damage` says has
  /// changed since the one before.
  ///
  /// - Throws: what encoding an earlier one threw.
  mutating func submit(
    _ canvas: borrowing Canvas, _ damage: borrowing Damage, frame: Int, _ tiles: [MarkedTile]
  ) throws(FFmpegError) {
    if let segment = upcoming.first, rendition.encodedFrames(of: segment).contains(frame) {
      open.append(try make(segment))
      upcoming.removeFirst()
    }
    try stage.submit(canvas, damage, number: frame, tiles, to: open)
  }

  /// The segment for which `frame` is the last one that is encoded; nil where there is none.
  func segment(endingWith frame: Int) -> Int? {
    open.first { rendition.encodedFrames(of: $0.number).upperBound == frame + 1 }?.number
  }

  /// Lands the file of `segment`, with `note` at its end.
  ///
  /// - Throws: what encoding threw.
  mutating func finish(_ segment: Int, _ note: SegmentNote) throws(FFmpegError) {
    try stage.drain()
    try open.first { $0.number == segment }?.finish(note)
    open.removeAll { $0.number == segment }
  }
}
