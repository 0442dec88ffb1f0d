import CTesseraFFmpeg
import TesseraTimeline

/// Counts the samples in a stream's packets during a scan. The counts come from packet headers;
/// from the first packet whose header does not state a count, the stream is decoded.
final class ScanSampleCounter {
  /// The counts so far; complete after ``finish()``.
  private(set) var counts = PacketSampleCounts()

  private let stream: Int
  private let frame: Frame
  private var counter: SampleCounter?
  private var decoder: AudioDecoder?
  private var isDecoding = false
  /// The number of packets added.
  private var packetCount = 0
  /// The samples decoded so far from the last packet.
  private var open: (packet: Int, samples: Int, rate: Int)?

  /// Creates a counter for the packets of stream `stream` of `demuxer`.
  init(_ stream: Int, of demuxer: borrowing Demuxer) throws(FFmpegError) {
    self.stream = stream
    frame = try Frame.allocate()
    counter = SampleCounter.make(stream, of: demuxer)
  }

  /// Adds the next packet and returns its duration; returns `nil` if the packet must be decoded to
  /// learn it.
  func add(_ packet: borrowing Packet, of demuxer: borrowing Demuxer) -> ExactTime? {
    defer { packetCount += 1 }
    if !isDecoding, let length = counter?.length(of: packet) {
      counts.append(length.samples, rate: length.rate)
      return ExactTime(Int128(length.samples), over: Int128(length.rate))
    }
    if !isDecoding {
      isDecoding = true
      decoder = try? AudioDecoder.open(stream: stream, of: demuxer, keepsAll: true)
    }
    let isDiscarded = packet.isDiscarded
    packet.setDiscarded(false)
    try? decoder?.send(packet, number: packetCount)
    packet.setDiscarded(isDiscarded)
    receive()
    return nil
  }

  /// Flushes the decoder at the end of the stream.
  func finish() {
    guard isDecoding else { return }
    decoder?.finish()
    receive()
    close()
    fill(to: packetCount)
    decoder = nil
  }

  private func receive() {
    defer { _ = FFmpegLog.takeLastLine() }
    while let block = (try? decoder?.receive(into: frame)) ?? nil {
      let packet = max(block.packet ?? open?.packet ?? 0, counts.count)
      if open?.packet == packet {
        open?.samples += block.sampleCount
      } else {
        close()
        open = (packet, block.sampleCount, block.sampleRate)
      }
    }
  }

  private func close() {
    guard let open else { return }
    fill(to: open.packet)
    counts.append(open.samples, rate: open.rate)
    self.open = nil
  }

  /// Assumes that undecodable packets before number `packet` are as long as the last one counted.
  private func fill(to packet: Int) {
    guard packet > counts.count else { return }
    let last = counts.count > 0 ? counts[counts.count - 1] : (samples: 0, rate: 48_000)
    counts.append(last.samples, rate: last.rate, packets: packet - counts.count)
  }
}
