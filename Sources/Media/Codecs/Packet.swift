import CTesseraFFmpeg
import TesseraTimeline

/// An owned `AVPacket`: one compressed picture or block of audio. A reader reuses one packet for
/// many reads.
@safe package struct Packet: ~Copyable {
  let raw: UnsafeMutablePointer<AVPacket>

  private init(owning raw: UnsafeMutablePointer<AVPacket>) { unsafe self.raw = unsafe raw }

  deinit {
    var raw: UnsafeMutablePointer<AVPacket>? = unsafe raw
    unsafe av_packet_free(&raw)
  }

  package static func allocate() throws(FFmpegError) -> Packet {
    guard let raw = unsafe av_packet_alloc() else {
      throw .outOfMemory("take memory for a packet", "no file")
    }
    return unsafe Packet(owning: raw)
  }

  /// The index of the packet's stream in the file.
  package var streamIndex: Int { Int(unsafe raw.pointee.stream_index) }
  /// The presentation timestamp (PTS) in the stream's time base; `nil` if the file has none.
  package var presentationTicks: Int64? { unsafe raw.pointee.pts.ticks }
  /// The decoding timestamp (DTS) in the stream's time base; `nil` if the file has none.
  package var decodingTicks: Int64? { unsafe raw.pointee.dts.ticks }
  /// The duration in the stream's time base; 0 if unknown.
  package var durationTicks: Int64 { max(0, unsafe raw.pointee.duration) }
  /// The size of the payload, in bytes.
  package var size: Int { Int(unsafe raw.pointee.size) }
  /// The byte offset of the packet in the file; -1 if unknown.
  package var position: Int64 { max(-1, unsafe raw.pointee.pos) }
  /// True if decoding can start with this packet.
  package var isKeyframe: Bool { unsafe raw.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// True if the packet is decoded for reference only and not shown, as before the start of an
  /// edit.
  package var isDiscarded: Bool { unsafe raw.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
  /// True if parts of the payload are missing.
  var isCorrupt: Bool { unsafe raw.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
  /// True if the packet carries new decoder parameters (extradata).
  var changesParameters: Bool {
    unsafe av_packet_get_side_data(raw, AV_PKT_DATA_NEW_EXTRADATA, nil) != nil
  }

  /// Calls `body` with the payload, which is valid only during the call.
  func withPayload<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe body(UnsafeRawBufferPointer(start: raw.pointee.data, count: size))
  }

  /// Sets whether the decoder drops the packet's pictures or samples after decoding.
  func setDiscarded(_ isDiscarded: Bool) {
    if isDiscarded {
      unsafe raw.pointee.flags |= AV_PKT_FLAG_DISCARD
    } else {
      unsafe raw.pointee.flags &= ~AV_PKT_FLAG_DISCARD
    }
  }

  /// Replaces the packet's timestamps by `number`, so that decoded frames name their packet.
  func number(_ number: Int64) {
    unsafe (raw.pointee.pts, raw.pointee.dts) = (number, CFF_NOPTS)
    // On decoded frames, this flag must only mean missing reference pictures.
    unsafe raw.pointee.flags &= ~AV_PKT_FLAG_CORRUPT
  }

  /// The number of padding samples at the packet's end, which the decoder drops.
  package var paddingSamples: Int { cutSamples?.padding ?? 0 }

  /// The number of priming samples from the packet's start on, which the decoder drops; `nil` if
  /// the packet has no such side data.
  var primingSamples: Int? { cutSamples?.priming }

  private var cutSamples: (priming: Int, padding: Int)? {
    var size = 0
    guard let data = unsafe av_packet_get_side_data(raw, AV_PKT_DATA_SKIP_SAMPLES, &size),
      size >= 8
    else { return nil }
    let number = { (start: Int) in
      (start..<start + 4).reversed().reduce(0) { unsafe $0 << 8 | Int(data[$1]) }
    }
    return (max(0, Int(Int32(truncatingIfNeeded: number(0)))), number(4))
  }

  /// Releases the payload.
  package func clear() { unsafe av_packet_unref(raw) }
}

extension Int64 {
  /// The number; `nil` if it is `AV_NOPTS_VALUE`.
  var ticks: Int64? { self == CFF_NOPTS ? nil : self }
}

extension Ratio {
  init(_ rational: AVRational) { self.init(Int(rational.num), Int(rational.den)) }

  var rational: AVRational {
    AVRational(num: CInt(clamping: numerator), den: CInt(clamping: denominator))
  }
}
