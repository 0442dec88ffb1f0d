import CTesseraFFmpeg
import Glibc

/// A stretch of an encoder's output, on its way to a ``Muxer``.
@safe package final class EncodedPacket: @unchecked Sendable {
  // Sendable because nobody changes the packet between the encoder and the muxer, which takes it,
  // or the encoder that fills it anew.
  let packet: Packet
  /// The unit of the packet's times.
  private(set) var timeBase: AVRational

  init(_ packet: consuming Packet, timeBase: AVRational) {
    self.packet = packet
    self.timeBase = timeBase
  }

  /// Takes over an encoder's next packet in place of what it holds; false where none is ready.
  @unsafe func receive(
    from context: UnsafeMutablePointer<AVCodecContext>, _ operation: String, _ name: String
  ) throws(FFmpegError) -> Bool {
    let result = unsafe avcodec_receive_packet(context, packet.raw)
    if result == cff_averror(EAGAIN) || result == CFF_ERROR_EOF { return false }
    try check(result, operation, name)
    timeBase = unsafe context.pointee.time_base
    return true
  }

  /// All packets that an encoder has ready.
  @unsafe static func take(
    from context: UnsafeMutablePointer<AVCodecContext>, _ operation: String, _ name: String
  ) throws(FFmpegError) -> [EncodedPacket] {
    var packets: [EncodedPacket] = []
    while true {
      let packet = EncodedPacket(
        try Packet.allocate(), timeBase: unsafe context.pointee.time_base)
      guard try unsafe packet.receive(from: context, operation, name) else { return packets }
      packets.append(packet)
    }
  }

  /// When its content is decoded, in seconds from the start of the output.
  package var decodingSeconds: Double {
    Double(packet.decodingTicks ?? 0) * Double(timeBase.num) / Double(timeBase.den)
  }

  /// When its content is shown or heard, and decoded, in units of its stream's time base.
  var times: (presentation: Int64, decoding: Int64) {
    get { unsafe (packet.raw.pointee.pts, packet.raw.pointee.dts) }
    set { unsafe (packet.raw.pointee.pts, packet.raw.pointee.dts) = newValue }
  }

  /// How long its content lasts in those units.
  var duration: Int64 {
    get { unsafe packet.raw.pointee.duration }
    set { unsafe packet.raw.pointee.duration = newValue }
  }
}
