import CTesseraFFmpeg
import TesseraTimeline

/// Decodes one audio stream: packets in, blocks of samples out.
@safe struct AudioDecoder: ~Copyable {
  private let decoder: StreamDecoder
  /// The decoder for Opus, which replaces ``decoder``; `nil` for other codecs.
  private var opus: OpusDecoder?
  private let path: String

  /// The accepted sample rates in Hz: those at which audio is recorded.
  static let sampleRates = 4_000...384_000

  /// Opens a decoder for stream `index` of `demuxer`. With `keepsAll`, priming and padding are not
  /// trimmed.
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
    return AudioDecoder(decoder: decoder, opus: opus, path: demuxer.path)
  }

  /// Sends a packet to the decoder. `gap` is the number of samples at 48 kHz missing before the
  /// packet, which the decoder conceals as far as the codec permits.
  ///
  /// - Throws: ``FFmpegError`` if the packet cannot be decoded. Later packets may still be
  ///   decodable.
  mutating func send(
    _ packet: borrowing Packet, number: Int, after gap: Int = 0
  ) throws(FFmpegError) {
    if opus != nil {
      try opus?.send(packet, number: number, after: gap)
    } else {
      try decoder.send(packet, number: number)
    }
  }

  /// Starts the flush: no packet follows, and the decoder returns the samples that it holds back.
  func finish() { decoder.finish() }

  /// Returns the next block without its time, with its samples in `frame`; returns `nil` if the
  /// decoder needs another packet or has ended.
  mutating func receive(into frame: borrowing Frame) throws(FFmpegError) -> SoundBlockInfo? {
    if opus != nil { return try opus?.receive(into: frame) }
    guard try decoder.receive(into: frame) else { return nil }
    let (count, rate) = unsafe (Int(frame.raw.pointee.nb_samples), frame.raw.pointee.sample_rate)
    guard Self.sampleRates.contains(Int(rate)) else {
      throw FFmpegError(
        code: CFF_ERROR_INVALID_DATA, operation: "use a sample rate of \(rate) Hz", path: path)
    }
    let number = frame.packet
    var block = SoundBlockInfo(
      packet: number.map { $0 >> 32 }, sampleCount: count, sampleRate: Int(rate))
    block.skipped = ExactTime(
      Int128(number.map { $0 & 0xffff_ffff } ?? 0), over: Int128(StreamDecoder.soundUnits))
    return block
  }
}
