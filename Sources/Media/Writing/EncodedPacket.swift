import CTesseraFFmpeg

/// A stretch of an encoder's output, on its way to a ``Muxer``.
@safe package final class EncodedPacket: @unchecked Sendable {
  // Sendable because nobody changes the packet between the encoder and the muxer, which takes it.
  let packet: Packet
  /// The unit of the packet's times.
  let timeBase: AVRational

  init(_ packet: consuming Packet, timeBase: AVRational) {
    self.packet = packet
    self.timeBase = timeBase
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
