public import TesseraMedia

/// Encodes sound so that what a player decodes stays below a ceiling.
///
/// A first encoder runs ahead and its packets are decoded. Where the true peak of what comes out is
/// above ``ceilingDecibels``, the sound is lowered for that stretch, and from then on a second
/// trial may lower it further; what the last encoder gets is what its listeners can bear. Where
/// nothing is above the ceiling, every sample reaches the encoder as it is. An encoder that loses
/// nothing gets no trial. Memory does not grow with the length.
public struct CeilingEncoder: ~Copyable {
  /// The highest true peak after decoding, in decibels relative to full scale.
  public static let ceilingDecibels: Float = -1

  /// The encoder whose packets are put out.
  public var encoder: AudioEncoder
  private var first: CeilingTrial?
  private var second: CeilingTrial?

  /// How many times a stretch was lowered, and by how many decibels at most.
  public private(set) var lowered: (count: Int, decibels: Float) = (0, 0)

  /// Opens an encoder and its trials.
  public static func open(_ settings: SoundEncoderSettings) throws(FFmpegError) -> CeilingEncoder {
    let encoder = try AudioEncoder.open(settings)
    guard settings.codec.isLossy else { return CeilingEncoder(encoder: encoder, first: nil) }
    return CeilingEncoder(encoder: encoder, first: try CeilingTrial.open(settings))
  }

  private init(encoder: consuming AudioEncoder, first: consuming CeilingTrial?) {
    self.encoder = encoder
    self.first = first
    self.second = nil
  }

  /// Encodes the next interleaved samples, any number of them.
  public mutating func encode(_ samples: [Float]) throws(FFmpegError) -> [EncodedPacket] {
    guard let tried = try first?.pass(samples) else { return try encoder.encode(samples.span) }
    return try encodeTried(tried)
  }

  /// Encodes what the first trial lets through.
  private mutating func encodeTried(_ tried: [Float]) throws(FFmpegError) -> [EncodedPacket] {
    noteLowered()
    if lowered.count > 0, second == nil { second = try CeilingTrial.open(encoder.settings) }
    guard let again = try second?.pass(tried) else {
      return tried.isEmpty ? [] : try encoder.encode(tried.span)
    }
    return again.isEmpty ? [] : try encoder.encode(again.span)
  }

  /// Ends the stream and returns what was held back.
  public mutating func finish() throws(FFmpegError) -> [EncodedPacket] {
    var packets: [EncodedPacket] = []
    if let tried = try first?.finish() {
      packets += try encodeTried(tried)
      if let rest = try second?.finish() { packets += try encoder.encode(rest.span) }
    }
    packets += try encoder.finish()
    noteLowered()
    return packets
  }

  private mutating func noteLowered() {
    let (one, other) = (first?.lowered ?? (0, 0), second?.lowered ?? (0, 0))
    lowered = (one.0 + other.0, one.1 + other.1)
  }
}
