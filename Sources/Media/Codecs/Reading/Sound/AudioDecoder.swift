import CTesseraFFmpeg
import TesseraTimeline

/// A decoder of one stream of sound: packets in, blocks of samples out.
@safe struct AudioDecoder: ~Copyable {
  private let decoder: StreamDecoder
  /// What decodes in its place.
  private var opus: OpusDecoder?
  private let path: String

  /// A block of samples as the decoder puts it out.
  struct Block {
    /// The packet that it comes from; nil where that has put out others before.
    var packet: Int?
    /// How much of the packet's beginning was cut off.
    var skipped: ExactTime
    /// The number of its samples, per channel, and how many make a second.
    var (sampleCount, sampleRate): (Int, Int)
    /// How it was made up for a gap before the packet; nil where it was decoded.
    var making: SoundBlock.Making?
  }

  /// The sample rates that are accepted: those that sound is recorded at.
  static let sampleRates = 4_000...384_000

  private init(
    _ decoder: consuming StreamDecoder, _ opus: consuming OpusDecoder?, path: String
  ) {
    self.decoder = decoder
    self.opus = opus
    self.path = path
  }

  /// A decoder for stream `index` of `demuxer`. Where it `keepsAll`, nothing is cut off at the
  /// beginning or the end.
  static func open(
    stream index: Int, of demuxer: borrowing Demuxer, keepsAll: Bool = false
  ) throws(FFmpegError) -> AudioDecoder {
    let decoder = try StreamDecoder.open(stream: index, of: demuxer, keepsAll: keepsAll)
    guard let stream = unsafe demuxer.stream(index),
      unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    else {
      throw FFmpegError(
        code: CFF_ERROR_DECODER_NOT_FOUND, operation: "find sound in stream \(index)",
        path: demuxer.path)
    }
    let opus = try OpusDecoder.open(stream: index, of: demuxer, keepsAll: keepsAll)
    return AudioDecoder(decoder, opus, path: demuxer.path)
  }

  /// Gives the decoder a packet, before which `gap` samples are missing, at 48 kHz; those it makes
  /// up as far as its codec can. An error means that the packet could not be decoded; the next one
  /// may be.
  mutating func send(
    _ packet: borrowing Packet, number: Int, after gap: Int = 0
  ) throws(FFmpegError) {
    if opus != nil {
      try opus?.send(packet, number: number, after: gap)
    } else {
      try decoder.send(packet, number: number)
    }
  }

  /// Lets the decoder know that no packet follows, so that it returns what it holds back.
  func finish() { decoder.finish() }

  /// The next block, its samples in `frame`; nil when the decoder wants a packet or has ended.
  mutating func receive(into frame: borrowing Frame) throws(FFmpegError) -> Block? {
    if opus != nil { return try opus?.receive(into: frame) }
    guard try decoder.receive(into: frame) else { return nil }
    let (count, rate) = unsafe (Int(frame.raw.pointee.nb_samples), frame.raw.pointee.sample_rate)
    guard Self.sampleRates.contains(Int(rate)) else {
      throw FFmpegError(
        code: CFF_ERROR_INVALID_DATA, operation: "use a sample rate of \(rate) Hz", path: path)
    }
    let number = frame.packet
    return Block(
      packet: number.map { $0 >> 32 },
      skipped: ExactTime(
        Int128(number.map { $0 & 0xffff_ffff } ?? 0), over: Int128(StreamDecoder.soundUnits)),
      sampleCount: count, sampleRate: Int(rate))
  }
}
