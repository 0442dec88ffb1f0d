import CTesseraFFmpeg
import Glibc

/// A packet from an encoder, on its way to a ``Muxer``.
@safe package final class EncodedPacket: @unchecked Sendable {
  // Sendable because no code modifies the packet between the encoder and the muxer, which takes its
  // content, or the encoder that refills it.
  let packet: Packet
  /// The time base of the packet's timestamps.
  private(set) var timeBase: AVRational

  init(_ packet: consuming Packet, timeBase: AVRational) {
    self.packet = packet
    self.timeBase = timeBase
  }

  /// Replaces the content by the encoder's next packet; returns false if none is ready.
  @unsafe func receive(
    from context: UnsafeMutablePointer<AVCodecContext>, _ operation: String, _ name: String
  ) throws(FFmpegError) -> Bool {
    let result = unsafe avcodec_receive_packet(context, packet.raw)
    if result == cff_averror(EAGAIN) || result == CFF_ERROR_EOF { return false }
    try check(result, operation, name)
    timeBase = unsafe context.pointee.time_base
    return true
  }

  /// Returns all packets that the encoder has ready.
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

  /// The decoding timestamp, in seconds from the start of the output.
  package var decodingSeconds: Double {
    Double(packet.decodingTicks ?? 0) * Double(timeBase.num) / Double(timeBase.den)
  }

  /// The presentation and decoding timestamps, in the stream's time base.
  var times: (presentation: Int64, decoding: Int64) {
    get { unsafe (packet.raw.pointee.pts, packet.raw.pointee.dts) }
    set { unsafe (packet.raw.pointee.pts, packet.raw.pointee.dts) = newValue }
  }

  /// The duration, in the stream's time base.
  var duration: Int64 {
    get { unsafe packet.raw.pointee.duration }
    set { unsafe packet.raw.pointee.duration = newValue }
  }
}
