import CTesseraFFmpeg

/// Parses facts from the headers of coded pictures, without decoding.
///
/// Sources of the bit positions: RFC 6386 9.1 (VP8), VP9 specification 6.2 and annex B, AV1
/// specification 5.3 and 5.9.2, ITU-T H.264 and H.265 7.3.1.
struct PictureHeaderParser {
  private enum Codec { case vp8, vp9, av1, h264, hevc, mpeg4, other }

  private let codec: Codec
  /// The size of the length field before each NAL unit, in bytes; 0 if start codes separate units.
  private let lengthSize: Int

  init(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    codec =
      switch unsafe parameters.pointee.codec_id {
      case AV_CODEC_ID_VP8: .vp8
      case AV_CODEC_ID_VP9: .vp9
      case AV_CODEC_ID_AV1: .av1
      case AV_CODEC_ID_H264: .h264
      case AV_CODEC_ID_HEVC: .hevc
      case AV_CODEC_ID_MPEG4: .mpeg4
      default: .other
      }
    let header = unsafe UnsafeRawBufferPointer(
      start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
    // The configuration record of ISO 14496-15 starts with version 1; a start code starts with
    // zeros.
    let place = codec == .h264 ? 4 : 21
    let isRecord = unsafe header.count > place && header[0] == 1
    lengthSize = unsafe isRecord ? Int(header[place] & 3) + 1 : 0
  }

  /// True if an intact decoder returns a picture for the packet `payload`.
  ///
  /// False for: alternate reference frames of VP8 and VP9; hidden frames of AV1; H.264 and HEVC
  /// packets without a slice; RASL pictures of HEVC, which depend on pictures before a random
  /// access point; and all of MPEG-4 part 2, where only a full header parser could identify uncoded
  /// pictures.
  func announcesPicture(_ payload: UnsafeRawBufferPointer) -> Bool {
    switch codec {
    case .vp8: unsafe payload.first.map { $0 & 0x10 != 0 } ?? false
    case .vp9: unsafe Self.vp9IsShown(payload)
    case .av1: unsafe Self.av1IsShown(payload)
    case .h264: unsafe hasUnit(payload) { [1, 2, 5].contains($0 & 0x1F) }
    case .hevc: unsafe hasUnit(payload) { $0 >> 1 & 0x3F < 32 && $0 >> 2 & 0x1F != 4 }
    case .mpeg4: false
    case .other: true
    }
  }

  /// True if `payload` is a keyframe of VP8 or VP9. False for other codecs.
  func isKey(_ payload: UnsafeRawBufferPointer) -> Bool {
    switch codec {
    case .vp8: unsafe payload.first.map { $0 & 1 == 0 } ?? false
    case .vp9: unsafe Self.vp9Header(payload[...]).isKey
    default: false
    }
  }

  /// True if the packet `payload` has no sequence parameter set of its own (H.264, HEVC).
  func lacksParameterSets(_ payload: UnsafeRawBufferPointer) -> Bool {
    switch codec {
    case .h264: unsafe !hasUnit(payload) { $0 & 0x1F == 7 }
    case .hevc: unsafe !hasUnit(payload) { $0 >> 1 & 0x3F == 33 }
    default: false
    }
  }

  // MARK: Headers

  /// True if `isWanted` accepts the first byte of one of the payload's NAL units.
  private func hasUnit(_ payload: UnsafeRawBufferPointer, _ isWanted: (UInt8) -> Bool) -> Bool {
    var place = 0
    while lengthSize > 0, place + lengthSize < payload.count {
      let length = unsafe payload[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      if unsafe isWanted(payload[place + lengthSize]) { return true }
      place += lengthSize + length
    }
    var zeros = 0
    while lengthSize == 0, place + 1 < payload.count {
      let byte = unsafe payload[place]
      if byte == 1, zeros >= 2, unsafe isWanted(payload[place + 1]) { return true }
      (place, zeros) = (place + 1, byte == 0 ? zeros + 1 : 0)
    }
    return false
  }

  /// True if a VP9 packet has a shown frame. A packet is one frame, or a superframe with the sizes
  /// of its frames at the end.
  private static func vp9IsShown(_ payload: UnsafeRawBufferPointer) -> Bool {
    let marker = unsafe payload.last ?? 0
    let (count, size) = (Int(marker & 7) + 1, Int(marker >> 3 & 3) + 1)
    let index = payload.count - 2 - count * size
    guard marker & 0xE0 == 0xC0, index >= 0, unsafe payload[index] == marker else {
      return unsafe vp9Header(payload[...]).isShown
    }
    var start = 0
    for place in stride(from: index + 1, to: payload.count - 1, by: size) {
      let length = unsafe payload[place..<place + size].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard start < index, start + length <= index else { return false }
      if unsafe vp9Header(payload[start..<start + length]).isShown { return true }
      start += length
    }
    return false
  }

  private static func vp9Header(_ frame: Slice<UnsafeRawBufferPointer>) -> (
    isShown: Bool, isKey: Bool
  ) {
    guard let first = unsafe frame.first, first >> 6 == 2 else { return (false, false) }
    let second = unsafe frame.dropFirst().first ?? 0
    // Profile 3 has one more reserved bit after the two profile bits.
    let bits = UInt16(first) << 8 | UInt16(second)
    let head = bits << (first >> 4 & 3 == 3 ? 5 : 4)
    if head & 0x8000 != 0 { return (true, false) }
    return (head & 0x2000 != 0, head & 0x4000 == 0)
  }

  /// True if an AV1 temporal unit has a shown frame.
  private static func av1IsShown(_ payload: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place < payload.count {
      let head = unsafe payload[place]
      place += head & 4 != 0 ? 2 : 1
      var length = payload.count - place
      if head & 2 != 0 {
        var (size, shift) = (0, 0)
        while place < payload.count, shift < 35 {
          let byte = unsafe payload[place]
          size |= Int(byte & 0x7F) << shift
          (place, shift) = (place + 1, shift + 7)
          if byte & 0x80 == 0 { break }
        }
        length = size
      }
      // Frame headers, and frames that start with one: the bit of a repeated frame, or the bit
      // `show_frame` after the frame type.
      if [3, 6].contains(head >> 3 & 15), place < payload.count,
        unsafe payload[place] & 0x80 != 0 || payload[place] & 0x10 != 0
      {
        return true
      }
      place += max(0, length)
    }
    return false
  }
}
