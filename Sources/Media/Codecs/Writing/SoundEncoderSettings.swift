/// The settings of an audio encoder.
public struct SoundEncoderSettings: Hashable, Sendable, Codable {
  /// An audio encoder. The raw value is libavcodec's name.
  public enum Codec: String, CaseIterable, Hashable, Sendable, Codable {
    /// AAC-LC.
    case aac
    /// Opus, encoded by libopus.
    case opus = "libopus"
    /// FLAC at 24 bits.
    case flac
    /// MP3, encoded by LAME.
    case mp3 = "libmp3lame"
    /// Uncompressed 24-bit samples.
    case pcm = "pcm_s24le"

    /// True if encoding changes the samples.
    package var isLossy: Bool { self == .aac || self == .opus || self == .mp3 }

    /// The useful bit rates for stereo, in bit/s.
    package var bitRates: ClosedRange<Int> {
      switch self {
      case .aac, .flac, .pcm: 32_000...512_000
      case .opus: 16_000...512_000
      case .mp3: 32_000...320_000
      }
    }
  }

  /// The audio encoder; AAC by default.
  package var codec: Codec
  /// The bit rate in bit/s; ignored by lossless encoders.
  package var bitRate: Int
  /// The number of channels, 1 or 2. Mono is the mean of both sides.
  package var channelCount: Int

  /// The useful bit rates for ``channelCount`` channels, in bit/s.
  package var bitRates: ClosedRange<Int> {
    let stereo = codec.bitRates
    return stereo.lowerBound...(channelCount == 1 ? stereo.upperBound / 2 : stereo.upperBound)
  }

  /// The approximate bit rate of the output, in bit/s.
  package var expectedBitRate: Int {
    codec.isLossy ? bitRate : AudioEncoder.sampleRate * 24 * channelCount
  }

  /// Creates settings; by default AAC, stereo at 128 kbit/s.
  package init(codec: Codec = .aac, bitRate: Int = 128_000, channelCount: Int = 2) {
    (self.codec, self.bitRate, self.channelCount) = (codec, bitRate, channelCount)
  }
}
