import CTesseraFFmpeg
public import TesseraSystem
import TesseraTimeline

/// What the packets of one stream of sound say of themselves: when they begin and how many samples
/// they hold.
public enum SoundPackets {
  /// The packets of `source` in their order, without decoding where the format says exactly how
  /// many samples a packet holds. Their times are relative to the file's beginning.
  ///
  /// - Throws: ``MediaError`` where the file or its decoder cannot be opened.
  public static func read(
    _ source: SoundSource, cancellation: Cancellation
  ) throws(MediaError) -> [SoundBlock] {
    if let blocks = try undecoded(source, cancellation: cancellation) { return blocks }
    return try decoded(source, cancellation: cancellation)
  }

  /// The same, by decoding everything: exact whatever the stream is.
  public static func decoded(
    _ source: SoundSource, cancellation: Cancellation
  ) throws(MediaError) -> [SoundBlock] {
    var reader = try SoundReader.open(source, cancellation: cancellation)
    var blocks: [SoundBlock] = []
    while let block = reader.next() {
      if blocks.count == reader.packetNumber + 1 {
        blocks[blocks.count - 1].sampleCount += block.sampleCount
        continue
      }
      // What could not be decoded has no place: it is not heard.
      while blocks.count < reader.packetNumber {
        blocks.append(SoundBlock(time: nil, sampleCount: 0, sampleRate: block.sampleRate))
      }
      blocks.append(block)
    }
    return blocks
  }

  /// The same, without decoding: nil where a packet does not say how much it holds, or where the
  /// stream changes.
  public static func undecoded(
    _ source: SoundSource, cancellation: Cancellation
  ) throws(MediaError) -> [SoundBlock]? {
    let range = source.track.packets
    var packets = try PacketStream.open(
      source.path, stream: source.track.stream.index, source.index, from: range.lowerBound,
      cancellation: cancellation)
    guard let packet = try? Packet.allocate(),
      let stream = unsafe packets.demuxer.stream(source.track.stream.index),
      var counter = unsafe SampleCounter.make(stream)
    else { return nil }
    var blocks: [SoundBlock] = []
    while !cancellation.isCancelled {
      guard let number = try? packets.read(into: packet), number < range.upperBound else { break }
      guard let count = counter.count(packet) else { return nil }
      blocks.append(
        SoundBlock(
          packet: number, time: source.time(of: number).rounded, sampleCount: count,
          sampleRate: counter.sampleRate))
    }
    return blocks
  }
}

/// Says how many samples a packet holds without decoding it.
@safe private struct SampleCounter: ~Copyable {
  let sampleRate: Int
  private let parameters: UnsafeMutablePointer<AVCodecParameters>
  private let isTimedInSamples: Bool
  private var vorbis: OpaquePointer?
  private var isFirst = true

  private init(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, isTimedInSamples: Bool,
    vorbis: OpaquePointer?
  ) {
    unsafe self.parameters = unsafe parameters
    sampleRate = Int(unsafe parameters.pointee.sample_rate)
    self.isTimedInSamples = isTimedInSamples
    unsafe self.vorbis = unsafe vorbis
  }

  /// A counter of the packets of `stream`; nil where it cannot know.
  static func make(_ stream: UnsafeMutablePointer<AVStream>) -> SampleCounter? {
    guard let parameters = unsafe stream.pointee.codecpar,
      unsafe parameters.pointee.sample_rate > 0
    else { return nil }
    let unit = unsafe Ratio(stream.pointee.time_base)
    let rate = Int(unsafe parameters.pointee.sample_rate)
    let isVorbis = unsafe parameters.pointee.codec_id == AV_CODEC_ID_VORBIS
    let vorbis =
      unsafe isVorbis
      ? av_vorbis_parse_init(
        parameters.pointee.extradata, parameters.pointee.extradata_size) : nil
    if isVorbis, unsafe vorbis == nil { return nil }
    return unsafe SampleCounter(
      parameters, isTimedInSamples: unit == Ratio(1, rate), vorbis: vorbis)
  }

  deinit {
    var vorbis: OpaquePointer? = unsafe vorbis
    unsafe av_vorbis_parse_free(&vorbis)
  }

  /// The samples of the next packet; nil where it does not say.
  mutating func count(_ packet: borrowing Packet) -> Int? {
    defer { isFirst = false }
    let raw = unsafe packet.raw
    guard unsafe cff_packet_changes_parameters(raw) == 0,
      unsafe Int(parameters.pointee.sample_rate) == sampleRate
    else { return nil }
    if let vorbis = unsafe vorbis {
      let count = unsafe av_vorbis_parse_frame(vorbis, raw.pointee.data, raw.pointee.size)
      // The first one only begins the overlap.
      return count < 0 ? nil : isFirst ? 0 : Int(count)
    }
    if unsafe parameters.pointee.codec_id == AV_CODEC_ID_OPUS {
      return unsafe Self.opusSamples(raw.pointee.data, Int(raw.pointee.size))
        .map { $0 * sampleRate / 48_000 }
    }
    let count = unsafe Int(av_get_audio_frame_duration2(parameters, raw.pointee.size))
    if count > 0 { return count }
    let duration = packet.durationTicks
    return isTimedInSamples && duration > 0 ? Int(duration) : nil
  }

  /// The samples, at 48 kHz, of an Opus packet by its first two bytes (RFC 6716, section 3.1).
  private static func opusSamples(_ data: UnsafeMutablePointer<UInt8>?, _ size: Int) -> Int? {
    guard let data = unsafe data, size > 0 else { return nil }
    let configuration = Int(unsafe data[0] >> 3)
    let length =
      switch configuration {
      case 0..<12: [480, 960, 1920, 2880][configuration & 3]
      case 12..<16: configuration & 1 == 0 ? 480 : 960
      default: 120 << (configuration & 3)
      }
    switch unsafe data[0] & 3 {
    case 0: return length
    case 1, 2: return 2 * length
    default: return size > 1 ? length * Int(unsafe data[1] & 63) : nil
    }
  }
}
