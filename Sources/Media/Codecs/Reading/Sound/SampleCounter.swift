import CTesseraFFmpeg

/// Determines the number of samples in audio packets from the codec's headers, without decoding.
@safe struct SampleCounter: ~Copyable {
  private enum CountingRule {
    /// All packets have an equal number of samples.
    case same(AudioFrameHeaderParser.SampleDuration)
    case aacFrames, mpegAudio, opus
    case vorbis(VorbisSampleCounter)
    case flac(rate: Int)
    case amr(isWide: Bool)
    /// The number follows from the size of the packet.
    case size
  }

  private let parameters: UnsafeMutablePointer<AVCodecParameters>
  private var rule: CountingRule
  private var last: AudioFrameHeaderParser.SampleDuration?

  /// Creates a counter for stream `index` of `demuxer`; returns `nil` if the codec's packets do not
  /// state their length.
  static func make(_ index: Int, of demuxer: borrowing Demuxer) -> SampleCounter? {
    guard let parameters = unsafe demuxer.stream(index)?.pointee.codecpar else { return nil }
    let extra = unsafe Array(
      UnsafeBufferPointer(
        start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size)))
    let rate = Int(unsafe parameters.pointee.sample_rate)
    let rule: CountingRule
    switch unsafe parameters.pointee.codec_id {
    case AV_CODEC_ID_AAC:
      guard let length = Self.aac(extra) else { return nil }
      rule = length
    case AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3: rule = .mpegAudio
    case AV_CODEC_ID_OPUS: rule = .opus
    case AV_CODEC_ID_AMR_NB: rule = .amr(isWide: false)
    case AV_CODEC_ID_AMR_WB: rule = .amr(isWide: true)
    case AV_CODEC_ID_FLAC: rule = .flac(rate: rate)
    case AV_CODEC_ID_VORBIS:
      let headers = unsafe parameters.pointee
      guard
        let counter = unsafe VorbisSampleCounter(
          headers.extradata, count: headers.extradata_size, rate: rate)
      else { return nil }
      rule = .vorbis(counter)
    // The packet sizes of these codecs determine the count only roughly.
    case AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2, AV_CODEC_ID_AAC_LATM, AV_CODEC_ID_EAC3: return nil
    default: rule = .size
    }
    return unsafe SampleCounter(parameters: parameters, rule: rule)
  }

  private static func aac(_ configuration: [UInt8]) -> CountingRule? {
    configuration.isEmpty
      ? .aacFrames : AudioFrameHeaderParser.aac(configuration: configuration.span).map { .same($0) }
  }

  /// Returns the duration of the next packet; `nil` if it states none or changes the stream's
  /// parameters. A packet with a damaged header is as long as its predecessor.
  mutating func length(of packet: borrowing Packet) -> AudioFrameHeaderParser.SampleDuration? {
    if unsafe cff_packet_changes_parameters(packet.raw) != 0, !takeOver(packet) { return nil }
    let length = read(packet) ?? last
    guard let length, AudioDecoder.sampleRates.contains(length.rate) else { return nil }
    last = length
    return length
  }

  private func read(_ packet: borrowing Packet) -> AudioFrameHeaderParser.SampleDuration? {
    let rate = Int(unsafe parameters.pointee.sample_rate)
    return unsafe packet.withPayload { payload in
      let data = unsafe payload.assumingMemoryBound(to: UInt8.self).span
      switch rule {
      case .same(let length): return length
      case .aacFrames: return AudioFrameHeaderParser.aacFrame(data)
      case .mpegAudio: return AudioFrameHeaderParser.mpegAudio(data)
      case .opus: return AudioFrameHeaderParser.opus(data)
      case .flac(let rate): return AudioFrameHeaderParser.flac(data, rate: rate)
      case .amr(let isWide): return AudioFrameHeaderParser.amr(data, isWide: isWide)
      case .vorbis(let counter): return counter.length(data)
      case .size:
        let count = unsafe av_get_audio_frame_duration2(parameters, CInt(data.count))
        return count > 0 ? .init(samples: Int(count), rate: rate) : nil
      }
    }
  }

  /// Adopts the new parameters that the packet carries; returns false if they cannot be
  /// interpreted.
  private mutating func takeOver(_ packet: borrowing Packet) -> Bool {
    var size = 0
    guard
      let data = unsafe av_packet_get_side_data(packet.raw, AV_PKT_DATA_NEW_EXTRADATA, &size),
      unsafe av_packet_get_side_data(packet.raw, AV_PKT_DATA_PARAM_CHANGE, nil) == nil
    else { return false }
    switch rule {
    case .mpegAudio, .opus, .flac, .amr: return true
    case .same, .aacFrames:
      let extra = unsafe Array(UnsafeBufferPointer(start: data, count: size))
      guard let other = Self.aac(extra) else { return false }
      rule = other
      return true
    case .vorbis, .size: return false
    }
  }
}
