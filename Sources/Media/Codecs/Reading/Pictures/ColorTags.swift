import CTesseraFFmpeg

/// The color tags that a decoded picture's bitstream states, as opposed to those that its decoder makes up.
///
/// libavcodec gives each frame of some codecs a range and a matrix that the bitstream does not state.
/// Those are removed here, and ``PictureConverter`` falls back to the container's:
///
/// | Codec | Range | Matrix, primaries and transfer |
/// |---|---|---|
/// | VP8 | container, else limited | container, else by height |
/// | VP9, AV1 | header of the sequence or keyframe | header, container where it names none |
/// | H.264, HEVC | VUI, else container, else limited | VUI, else container, else by height |
/// | others | decoder, else container, else limited | decoder, else container, else by height |
///
/// By height: BT.601 for up to 576 lines, otherwise BT.709.
struct ColorTags {
  private let (hasRange, hasMatrix): (Bool, Bool)

  init(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    let codec = unsafe parameters.pointee.codec_id
    // VP8's header has one bit for colors, and only one value of it is defined (RFC 6386 9.2).
    hasMatrix = codec != AV_CODEC_ID_VP8
    // libavcodec's decoder of HEVC says "limited" where the VUI says nothing; that matters only
    // where the container says otherwise.
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
