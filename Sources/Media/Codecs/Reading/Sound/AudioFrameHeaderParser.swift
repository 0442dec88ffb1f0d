/// Parses the duration of audio packets from frame headers and decoder configurations.
enum AudioFrameHeaderParser {
  /// A duration: samples per channel at a sample rate in Hz.
  struct SampleDuration: Hashable, Sendable {
    var samples: Int
    var rate: Int
  }

  /// Returns the duration of an Opus packet from its first two bytes (RFC 6716, section 3.1). The
  /// rate is always 48 kHz.
  static func opus(_ data: Span<UInt8>) -> SampleDuration? {
    guard data.count > 0 else { return nil }
    let configuration = Int(data[0] >> 3)
    let length =
      switch configuration {
      case 0..<12: [480, 960, 1920, 2880][configuration & 3]
      case 12..<16: configuration & 1 == 0 ? 480 : 960
      default: 120 << (configuration & 3)
      }
    let frames =
      switch data[0] & 3 {
      case 0: 1
      case 1, 2: 2
      default: data.count > 1 ? Int(data[1] & 63) : 0
      }
    guard 1...5760 ~= frames * length else { return nil }
    return SampleDuration(samples: frames * length, rate: 48_000)
  }

  /// Returns the duration of the MPEG audio frames in a packet, layers I to III (ISO/IEC 11172-3
  /// and 13818-3, section 2.4.1.3).
  static func mpegAudio(_ data: Span<UInt8>) -> SampleDuration? {
    guard var length = mpegFrame(data, at: 0) else { return nil }
    var next = length.bytes
    while next > 0, let frame = mpegFrame(data, at: next), frame.rate == length.rate {
      length.samples += frame.samples
      next = frame.bytes > 0 ? next + frame.bytes : 0
    }
    return SampleDuration(samples: length.samples, rate: length.rate)
  }

  private static let mpegRates = [44_100, 48_000, 32_000]
  /// Bit rates in kbit/s by layer, for MPEG-1, then for MPEG-2 and 2.5.
  private static let mpegBitRates = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  /// Parses the frame header at byte `start`; `bytes` is the frame's size, or 0 if the header
  /// states none.
  private static func mpegFrame(
    _ data: Span<UInt8>, at start: Int
  ) -> (samples: Int, rate: Int, bytes: Int)? {
    guard start + 4 <= data.count, data[start] == 0xff, data[start + 1] & 0xe0 == 0xe0 else {
      return nil
    }
    let (version, layer) = (Int(data[start + 1] >> 3 & 3), 4 - Int(data[start + 1] >> 1 & 3))
    let (bits, rates) = (Int(data[start + 2] >> 4), Int(data[start + 2] >> 2 & 3))
    guard version != 1, layer < 4, rates < 3, bits < 15 else { return nil }
    let isFirst = version == 3
    let rate = mpegRates[rates] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let samples = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152
    guard bits > 0 else { return (samples, rate, 0) }
    let bitRate = 1000 * mpegBitRates[layer - 1 + (isFirst ? 0 : 3)][bits - 1]
    let padding = Int(data[start + 2] >> 1 & 1)
    let bytes =
      layer == 1
      ? 4 * (12 * bitRate / rate + padding) : samples / 8 * bitRate / rate + padding
    return (samples, rate, bytes)
  }

  /// The size of the speech data of an AMR frame in bytes, by mode: narrow-band, then wide-band.
  private static let amrBytes = [
    [12, 13, 15, 17, 19, 20, 26, 31, 5, 0, 0, 0, 0, 0, 0, 0],
    [17, 23, 32, 36, 40, 46, 50, 58, 60, 5, 0, 0, 0, 0, 0, 0],
  ]

  /// Returns the duration of the AMR frames in a packet, 20 ms each (RFC 4867, section 5.3).
  static func amr(_ data: Span<UInt8>, isWide: Bool) -> SampleDuration? {
    var (frames, next) = (0, 0)
    while next < data.count {
      next += 1 + amrBytes[isWide ? 1 : 0][Int(data[next] >> 3 & 15)]
      frames += 1
    }
    let rate = isWide ? 16_000 : 8_000
    return frames > 0 ? SampleDuration(samples: frames * rate / 50, rate: rate) : nil
  }

  /// Returns the duration of a FLAC frame from its header (RFC 9639, section 9.1). If the header
  /// states no sample rate, `streamRate` applies.
  static func flac(_ data: Span<UInt8>, rate streamRate: Int) -> SampleDuration? {
    guard data.count > 5, data[0] == 0xff, data[1] & 0xfe == 0xf8 else { return nil }
    let (size, rate) = (Int(data[2] >> 4), Int(data[2] & 15))
    // The frame number is in a variable-length code like UTF-8.
    let coded = data[4] < 0x80 ? 1 : max(1, (~data[4]).leadingZeroBitCount)
    let rest = 4 + coded
    let samples: Int
    switch size {
    case 1: samples = 192
    case 2...5: samples = 144 << size
    case 6 where rest < data.count: samples = Int(data[rest]) + 1
    case 7 where rest + 1 < data.count:
      samples = Int(data[rest]) << 8 + Int(data[rest + 1]) + 1
    case 8...15: samples = 1 << size
    default: return nil
    }
    let rates = [
      88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
    ]
    return SampleDuration(samples: samples, rate: 1...11 ~= rate ? rates[rate - 1] : streamRate)
  }
}

// MARK: - AAC

extension AudioFrameHeaderParser {
  fileprivate static let aacRates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  /// Returns the duration of an AAC frame from its ADTS header (ISO/IEC 13818-7, section 6.2).
  static func aacFrame(_ data: Span<UInt8>) -> SampleDuration? {
    guard data.count > 6, data[0] == 0xff, data[1] & 0xf6 == 0xf0 else { return nil }
    let rate = Int(data[2] >> 2 & 15)
    guard rate < aacRates.count else { return nil }
    return SampleDuration(samples: 1024 * (Int(data[6] & 3) + 1), rate: aacRates[rate])
  }

  /// Returns the duration of every frame of an AAC stream from its AudioSpecificConfig (ISO/IEC
  /// 14496-3, sections 1.6.2.1 and 4.4.1). Spectral band replication, signaled or not, doubles both
  /// the samples and the rate, so that the duration is equal.
  static func aac(configuration data: Span<UInt8>) -> SampleDuration? {
    var bits = BitReader(position: 0)
    guard var object = bits.readType(of: data), let rate = bits.readRate(of: data),
      bits.read(4, of: data) != nil, rate > 0
    else { return nil }
    if object == 5 || object == 29 {
      guard bits.readRate(of: data) != nil, let core = bits.readType(of: data) else { return nil }
      object = core
    }
    guard let isShort = bits.read(1, of: data) else { return nil }
    switch object {
    case 1...4, 6, 7, 17, 19...22:
      return SampleDuration(samples: isShort == 1 ? 960 : 1024, rate: rate)
    case 23, 39: return SampleDuration(samples: isShort == 1 ? 480 : 512, rate: rate)
    default: return nil
    }
  }

  /// A bit reader, most significant bit first.
  private struct BitReader {
    var position: Int

    mutating func read(_ count: Int, of data: Span<UInt8>) -> Int? {
      guard position + count <= 8 * data.count else { return nil }
      var value = 0
      for _ in 0..<count {
        value = value << 1 | Int(data[position >> 3] >> (7 - UInt8(position & 7)) & 1)
        position += 1
      }
      return value
    }

    /// Reads an audio object type.
    mutating func readType(of data: Span<UInt8>) -> Int? {
      guard let type = read(5, of: data) else { return nil }
      return type < 31 ? type : read(6, of: data).map { 32 + $0 }
    }

    /// Reads a sample rate in Hz.
    mutating func readRate(of data: Span<UInt8>) -> Int? {
      guard let number = read(4, of: data) else { return nil }
      if number == 15 { return read(24, of: data) }
      return number < AudioFrameHeaderParser.aacRates.count
        ? AudioFrameHeaderParser.aacRates[number] : nil
    }
  }
}
