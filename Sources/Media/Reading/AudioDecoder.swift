import CTesseraFFmpeg
import TesseraTimeline

/// A decoder of one stream of sound: packets in, blocks of samples out.
@safe struct AudioDecoder: ~Copyable {
  private let decoder: StreamDecoder
  /// The unit of the stream's times, in seconds.
  let timeBase: Ratio
  private let path: String

  /// The sample rates that are accepted: those that sound is recorded at.
  private static let sampleRates = 4_000...384_000

  private init(_ decoder: consuming StreamDecoder, timeBase: Ratio, path: String) {
    self.decoder = decoder
    self.timeBase = timeBase
    self.path = path
  }

  /// A decoder for stream `index` of `demuxer`.
  static func open(
    stream index: Int, of demuxer: borrowing Demuxer
  ) throws(FFmpegError) -> AudioDecoder {
    let decoder = try StreamDecoder.open(stream: index, of: demuxer)
    guard let stream = unsafe demuxer.stream(index),
      unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    else {
      throw FFmpegError(
        code: CFF_ERROR_DECODER_NOT_FOUND, operation: "find sound in stream \(index)",
        path: demuxer.path)
    }
    return AudioDecoder(
      decoder, timeBase: unsafe Ratio(stream.pointee.time_base), path: demuxer.path)
  }

  /// Gives the decoder a packet. An error means that the packet could not be decoded; the next
  /// one may be.
  func send(_ packet: borrowing Packet) throws(FFmpegError) { try decoder.send(packet) }

  /// Tells the decoder that no packet follows, so that it puts out what it holds back.
  func finish() { decoder.finish() }

  /// The next block, its samples in `frame`; nil when the decoder wants a packet or has ended.
  func receive(into frame: borrowing Frame) throws(FFmpegError) -> SoundBlock? {
    guard try decoder.receive(into: frame) else { return nil }
    let (count, rate) = unsafe (Int(frame.raw.pointee.nb_samples), frame.raw.pointee.sample_rate)
    guard Self.sampleRates.contains(Int(rate)) else {
      throw FFmpegError(
        code: CFF_ERROR_INVALID_DATA, operation: "use a sample rate of \(rate) Hz", path: path)
    }
    let ticks = unsafe frame.raw.pointee.best_effort_timestamp.ticks
    let time = ticks.flatMap { MediaTime(ticks: $0, timeBase: timeBase) }
    return SoundBlock(time: time, sampleCount: count, sampleRate: Int(rate))
  }
}
