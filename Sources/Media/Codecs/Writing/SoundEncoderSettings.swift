/// How sound is encoded.
public struct SoundEncoderSettings: Hashable, Sendable, Codable {
  /// An encoder of sound; the raw value is libavcodec's name of it.
  public enum Codec: String, CaseIterable, Hashable, Sendable, Codable {
    /// AAC-LC.
    case aac
    /// Opus.
    case opus = "libopus"
    /// FLAC at 24 bits.
    case flac
    /// MP3.
    case mp3 = "libmp3lame"
    /// Samples of 24 bits as they are.
    case pcm = "pcm_s24le"

    /// Whether what comes out of the decoder is not what went into the encoder.
    package var isLossy: Bool { self == .aac || self == .opus || self == .mp3 }

    /// The bit rates, in bits a second, that it is worth encoding stereo at.
    package var bitRates: ClosedRange<Int> {
      switch self {
      case .aac, .flac, .pcm: 32_000...512_000
      case .opus: 16_000...512_000
      case .mp3: 32_000...320_000
      }
    }
  }

  /// The encoder.
  package var codec: Codec
  /// Bits a second; without effect where nothing is lost.
  package var bitRate: Int
  /// 1 or 2; what is one channel is the mean of both sides.
  package var channelCount: Int

  /// The bit rates, in bits a second, that the encoder takes for that many channels.
  package var bitRates: ClosedRange<Int> {
    let stereo = codec.bitRates
    return stereo.lowerBound...(channelCount == 1 ? stereo.upperBound / 2 : stereo.upperBound)
  }

  /// Bits a second that come out, about.
  package var expectedBitRate: Int {
    codec.isLossy ? bitRate : AudioEncoder.sampleRate * 24 * channelCount
  }

  /// Stereo, or mono where `channelCount` is 1, at `bitRate` bits a second.
  package init(codec: Codec = .aac, bitRate: Int = 128_000, channelCount: Int = 2) {
    (self.codec, self.bitRate, self.channelCount) = (codec, bitRate, channelCount)
  }
}
