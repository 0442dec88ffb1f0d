import CTesseraFFmpeg

/// Finds packets that hold the second field of a picture: H.264 may code the two fields of a
/// picture in two packets, of which a decoder makes one picture that carries the time of the first.
@safe final class FieldParser {
  private let parser: UnsafeMutablePointer<AVCodecParserContext>
  private var context: UnsafeMutablePointer<AVCodecContext>?
  /// The field that waits for its counterpart.
  private var first: AVPictureStructure?
  private var packetCount = 0
  private var hasSeenFields = false

  /// A stream without a sign of fields in this many packets has none.
  private static let trial = 256

  /// A parser for stream `index` of `demuxer`; nil where its codec has no packets of single fields.
  init?(stream index: Int, of demuxer: borrowing Demuxer) {
    guard let parameters = unsafe demuxer.stream(index)?.pointee.codecpar,
      unsafe parameters.pointee.codec_id == AV_CODEC_ID_H264,
      let context = unsafe avcodec_alloc_context3(nil)
    else { return nil }
    var owned: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    guard unsafe avcodec_parameters_to_context(context, parameters) >= 0,
      let parser = unsafe cff_parser_alloc(AV_CODEC_ID_H264)
    else {
      unsafe avcodec_free_context(&owned)
      return nil
    }
    unsafe parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    unsafe (self.parser, self.context) = unsafe (parser, context)
  }

  deinit {
    unsafe av_parser_close(parser)
    unsafe avcodec_free_context(&context)
  }

  /// Whether `packet`, the next one of the stream, completes the picture of the packet before it.
  func isSecondField(_ packet: borrowing Packet) -> Bool {
    guard hasSeenFields || packetCount < Self.trial else { return false }
    packetCount += 1
    var (data, size): (UnsafeMutablePointer<UInt8>?, CInt) = (nil, 0)
    _ = unsafe av_parser_parse2(
      parser, context, &data, &size, packet.raw.pointee.data, packet.raw.pointee.size,
      CFF_NOPTS, CFF_NOPTS, 0)
    _ = FFmpegLog.takeLastLine()
    let structure = unsafe parser.pointee.picture_structure
    guard
      structure == AV_PICTURE_STRUCTURE_TOP_FIELD
        || structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD
    else {
      first = nil
      return false
    }
    hasSeenFields = true
    if let before = first, before != structure {
      first = nil
      return true
    }
    first = structure
    return false
  }
}
