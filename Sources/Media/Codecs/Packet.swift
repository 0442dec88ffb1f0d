import CTesseraFFmpeg
import TesseraTimeline

/// One compressed picture or stretch of sound, reused for one read after the other.
@safe package struct Packet: ~Copyable {
  let raw: UnsafeMutablePointer<AVPacket>

  private init(owning raw: UnsafeMutablePointer<AVPacket>) { unsafe self.raw = unsafe raw }

  deinit {
    var raw: UnsafeMutablePointer<AVPacket>? = unsafe raw
    unsafe av_packet_free(&raw)
  }

  /// An empty packet.
  package static func allocate() throws(FFmpegError) -> Packet {
    guard let raw = unsafe av_packet_alloc() else {
      throw .outOfMemory("take memory for a packet", "no file")
    }
    return unsafe Packet(owning: raw)
  }

  /// The stream that it belongs to.
  package var streamIndex: Int { Int(unsafe raw.pointee.stream_index) }
  /// Its presentation time in its stream's time base; nil where the file gives none.
  package var presentationTicks: Int64? { unsafe raw.pointee.pts.ticks }
  /// Its decoding time in its stream's time base; nil where the file gives none.
  package var decodingTicks: Int64? { unsafe raw.pointee.dts.ticks }
  /// How long it lasts in its stream's time base; 0 where unknown.
  package var durationTicks: Int64 { max(0, unsafe raw.pointee.duration) }
  /// Its payload in bytes.
  package var size: Int { Int(unsafe raw.pointee.size) }
  /// The byte where it begins in the file; -1 where that is not known.
  package var position: Int64 { max(-1, unsafe raw.pointee.pos) }
  /// Whether decoding can begin with it.
  package var isKeyframe: Bool { unsafe raw.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Whether it is decoded for reference only, as before the start of an edit.
  package var isDiscarded: Bool { unsafe raw.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
  /// Whether bytes of it are missing.
  var isCorrupt: Bool { unsafe raw.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
  /// Whether the decoder's parameters change with it.
  var changesParameters: Bool {
    unsafe av_packet_get_side_data(raw, AV_PKT_DATA_NEW_EXTRADATA, nil) != nil
  }

  /// Its payload, for as long as `body` runs.
  func withPayload<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe body(UnsafeRawBufferPointer(start: raw.pointee.data, count: size))
  }

  /// Says whether its pictures or sound are thrown away once decoded.
  func setDiscarded(_ isDiscarded: Bool) {
    if isDiscarded {
      unsafe raw.pointee.flags |= AV_PKT_FLAG_DISCARD
    } else {
      unsafe raw.pointee.flags &= ~AV_PKT_FLAG_DISCARD
    }
  }

  /// Gives the decoder another number in place of its times.
  func number(_ number: Int64) {
    unsafe (raw.pointee.pts, raw.pointee.dts) = (number, CFF_NOPTS)
    // On frames, this mark is to mean that pictures are missing which they depend on.
    unsafe raw.pointee.flags &= ~AV_PKT_FLAG_CORRUPT
  }

  /// How many samples at its end the decoder throws away because they are only padding.
  package var paddingSamples: Int { cutSamples?.padding ?? 0 }

  /// How many samples the decoder throws away from its beginning on; nil where it does not say.
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

  /// Takes over what `other` holds, which is empty afterwards.
  func take(from other: borrowing Packet) { unsafe av_packet_move_ref(raw, other.raw) }

  /// Lets go of the payload.
  package func clear() { unsafe av_packet_unref(raw) }
}

extension Int64 {
  /// The number, or nil where it is libav*'s mark for "no time".
  var ticks: Int64? { self == CFF_NOPTS ? nil : self }
}

extension Ratio {
  init(_ rational: AVRational) { self.init(Int(rational.num), Int(rational.den)) }

  var rational: AVRational {
    AVRational(num: CInt(clamping: numerator), den: CInt(clamping: denominator))
  }
}
