import CTesseraFFmpeg

/// Distinguishes color tags that a bitstream states from tags that its decoder invents.
///
/// For some codecs, libavcodec sets a range and a matrix that the bitstream does not state.
/// ``apply(to:)`` removes those, and ``PictureConverter`` falls back to the container's:
///
/// | Codec | Range | Matrix, primaries and transfer |
/// |---|---|---|
/// | VP8 | container, else limited | container, else by height |
/// | VP9, AV1 | header of the sequence or keyframe | header, container where it names none |
/// | H.264, HEVC | VUI, else container, else limited | VUI, else container, else by height |
/// | others | decoder, else container, else limited | decoder, else container, else by height |
///
/// By height: BT.601 for up to 576 lines, otherwise BT.709.
struct ColorTagFilter {
  private let (hasRange, hasMatrix): (Bool, Bool)

  init(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    let codec = unsafe parameters.pointee.codec_id
    // VP8's header has one bit for colors, with a single defined value (RFC 6386 9.2).
    hasMatrix = codec != AV_CODEC_ID_VP8
    // libavcodec's HEVC decoder reports "limited" if the VUI states nothing. That matters only if
    // the container states full range.
    let isInDoubt =
      unsafe codec == AV_CODEC_ID_HEVC && parameters.pointee.color_range == AVCOL_RANGE_JPEG
    hasRange = unsafe hasMatrix && !(isInDoubt && cff_hevc_lacks_range(parameters) != 0)
  }

  /// Removes the tags of `frame` that its bitstream does not state.
  func apply(to frame: borrowing Frame) {
    if !hasMatrix { unsafe frame.raw.pointee.colorspace = AVCOL_SPC_UNSPECIFIED }
    let isLimited = unsafe frame.raw.pointee.color_range == AVCOL_RANGE_MPEG
    if !hasMatrix || !hasRange && isLimited {
      unsafe frame.raw.pointee.color_range = AVCOL_RANGE_UNSPECIFIED
    }
  }
}
