package import TesseraCodecs

/// Encodes sound so that what a player decodes stays below a ``Ceiling``.
package struct CeilingEncoder: ~Copyable {
  /// The encoder whose packets are put out.
  package var encoder: AudioEncoder
  private var ceiling: Ceiling

  /// How many times a stretch was lowered, and by how many decibels at most.
  package var lowered: (count: Int, decibels: Float) { ceiling.lowered }

  /// Opens an encoder and its trials.
  package static func open(_ settings: SoundEncoderSettings) throws(FFmpegError) -> CeilingEncoder {
    let encoder = try AudioEncoder.open(settings)
    let ceiling = try Ceiling(settings, packetLength: encoder.packetLength)
    return CeilingEncoder(encoder: encoder, ceiling: ceiling)
  }

  private init(encoder: consuming AudioEncoder, ceiling: consuming Ceiling) {
    self.encoder = encoder
    self.ceiling = ceiling
  }

  /// Encodes the next interleaved samples, any number of them.
  package mutating func encode(_ samples: [Float]) throws(FFmpegError) -> [EncodedPacket] {
    let tried = try ceiling.pass(samples, isLast: false)
    return tried.isEmpty ? [] : try encoder.encode(tried.span)
  }

  /// Ends the stream and returns what was held back.
  package mutating func finish() throws(FFmpegError) -> [EncodedPacket] {
    let rest = try ceiling.pass([], isLast: true)
    return try (rest.isEmpty ? [] : encoder.encode(rest.span)) + encoder.finish()
  }
}
