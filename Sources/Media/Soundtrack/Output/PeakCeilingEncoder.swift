package import TesseraCodecs

/// An encoder whose decoded sound stays below a ``PeakCeiling``.
package struct PeakCeilingEncoder: ~Copyable {
  /// The encoder that produces the packets.
  package var encoder: AudioEncoder
  private var ceiling: PeakCeiling

  /// The number of times a stretch was lowered, and the largest reduction in decibels.
  package var lowered: (count: Int, decibels: Float) { ceiling.lowered }

  /// Opens an encoder and its trials.
  package static func open(_ settings: SoundEncoderSettings) throws(FFmpegError)
    -> PeakCeilingEncoder
  {
    let encoder = try AudioEncoder.open(settings)
    let ceiling = try PeakCeiling(settings, packetLength: encoder.packetLength)
    return PeakCeilingEncoder(encoder: encoder, ceiling: ceiling)
  }

  /// Encodes the next interleaved samples, in any number.
  package mutating func encode(_ samples: [Float]) throws(FFmpegError) -> [EncodedPacket] {
    let tried = try ceiling.pass(samples, isLast: false)
    return tried.isEmpty ? [] : try encoder.encode(tried.span)
  }

  /// Ends the stream and returns all remaining packets.
  package mutating func finish() throws(FFmpegError) -> [EncodedPacket] {
    let rest = try ceiling.pass([], isLast: true)
    return try (rest.isEmpty ? [] : encoder.encode(rest.span)) + encoder.finish()
  }
}
