import CTesseraFFmpeg

/// Detects packets that contain the second field of a picture. H.264 may code the two fields of a
/// picture in two packets; the decoder outputs one picture with the timestamp of the first.
@safe final class SecondFieldDetector {
  private let parser: UnsafeMutablePointer<AVCodecParserContext>
  private let context: CodecContext
  /// The first field of a pair whose second field has not come yet.
  private var first: AVPictureStructure?
  private var packetCount = 0
  private var hasSeenFields = false

  /// The number of packets after which a stream without any field is assumed to have none.
  private static let trial = 256

  /// Creates a parser for stream `index` of `demuxer`; returns `nil` if the codec cannot code
  /// fields in separate packets.
  init?(stream index: Int, of demuxer: borrowing Demuxer) {
    guard let parameters = unsafe demuxer.stream(index)?.pointee.codecpar,
      unsafe parameters.pointee.codec_id == AV_CODEC_ID_H264,
      let context = unsafe CodecContext(nil),
      unsafe avcodec_parameters_to_context(context.raw, parameters) >= 0,
      let parser = unsafe cff_parser_alloc(AV_CODEC_ID_H264)
    else { return nil }
    unsafe parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    unsafe self.parser = unsafe parser
    self.context = context
  }

  deinit { unsafe av_parser_close(parser) }

  /// True if `packet`, the next of the stream, contains the second field of the previous packet's
  /// picture.
  func isSecondField(_ packet: borrowing Packet) -> Bool {
    guard hasSeenFields || packetCount < Self.trial else { return false }
    packetCount += 1
    var (data, size): (UnsafeMutablePointer<UInt8>?, CInt) = (nil, 0)
    _ = unsafe av_parser_parse2(
      parser, context.raw, &data, &size, packet.raw.pointee.data, packet.raw.pointee.size,
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
