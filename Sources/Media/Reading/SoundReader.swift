import CTesseraFFmpeg
public import TesseraSystem
public import TesseraTimeline

/// Reads one stream of sound block by block: first what is known of a block, then its samples as
/// interleaved stereo at the block's sample rate.
///
/// Nothing that a damaged file holds throws: it is counted in ``losses`` and reading goes on. A
/// reader may change threads, but only one may use it at a time.
public struct SoundReader: ~Copyable {
  /// What was lost so far.
  public private(set) var losses = StreamLosses()
  /// The block behind the one that ``next()`` answered last; nil behind the last one.
  public private(set) var following: SoundBlock?
  /// The number of the packet that the block was decoded from that ``next()`` answered last,
  /// counted from the first one that was read.
  public private(set) var packetNumber = 0
  /// The time of that first packet in the file's own clock; nil where the file gives none.
  public private(set) var firstPacketTime: MediaTime?

  private let demuxer: Demuxer
  private let decoder: AudioDecoder
  private let cancellation: Cancellation
  private let packet: Packet
  private let frame: Frame
  private let followingFrame: Frame
  private var converter: SampleConverter?
  private var readCount = 0
  private var followingNumber = 0
  private var phase = Phase.decoding
  private var failedReads = 0

  private enum Phase {
    /// The packet to decode first has been read already.
    case holdingFirstPacket
    case decoding
    case draining
    case ended
  }

  /// How far before the wanted time decoding begins: Opus needs 80 ms, other codecs a packet or
  /// two, before what they put out is what was recorded.
  private static let preRoll = MediaTime(nanoseconds: 500_000_000)

  /// A reader of stream `stream` of the recording at `path`. Sound is wanted from `start` on, a
  /// time in the file's own clock, or from the beginning where that is nil; sound from before it
  /// may come first. `isChained` is what the stream's ``PacketIndex`` says.
  ///
  /// - Throws: ``MediaError`` where the file or its decoder cannot be opened.
  public static func open(
    _ path: String, stream: Int, isChained: Bool = false, from start: MediaTime? = nil,
    cancellation: Cancellation
  ) throws(MediaError) -> SoundReader {
    var reader = try openAtStart(path, stream, isChained, cancellation)
    if let start, !reader.skip(to: start, stream: stream) {
      reader = try openAtStart(path, stream, isChained, cancellation)
    }
    reader.following = reader.decode()
    return reader
  }

  private static func openAtStart(
    _ path: String, _ stream: Int, _ isChained: Bool, _ cancellation: Cancellation
  ) throws(MediaError) -> SoundReader {
    let demuxer = try Demuxer.open(path, mayBeChained: isChained, cancellation: cancellation)
    demuxer.select(stream: stream)
    do throws(FFmpegError) {
      let decoder = try AudioDecoder.open(stream: stream, of: demuxer)
      return SoundReader(
        demuxer: demuxer, decoder: decoder, packet: try Packet.allocate(),
        frame: try Frame.allocate(), followingFrame: try Frame.allocate(),
        cancellation: cancellation)
    } catch {
      throw MediaError(path: path, reason: .nothingDecodable(error.logLine ?? error.reason))
    }
  }

  private init(
    demuxer: consuming Demuxer, decoder: consuming AudioDecoder, packet: consuming Packet,
    frame: consuming Frame, followingFrame: consuming Frame, cancellation: Cancellation
  ) {
    self.demuxer = demuxer
    self.decoder = decoder
    self.packet = packet
    self.frame = frame
    self.followingFrame = followingFrame
    self.cancellation = cancellation
  }

  /// Moves the unread file to `start` less the pre-roll; false where the format cannot, or landed
  /// behind it.
  private mutating func skip(to start: MediaTime, stream: Int) -> Bool {
    let timeBase = decoder.timeBase
    guard let target = (start - Self.preRoll).ticks(in: timeBase) else { return false }
    guard !demuxer.mayRestart else { return readThrough(to: target) }
    guard let end = start.ticks(in: timeBase), demuxer.seek(stream: stream, ticks: target),
      readPacket(),
      let landed = packet.presentationTicks ?? packet.decodingTicks, landed <= end
    else { return false }
    phase = .holdingFirstPacket
    return true
  }

  /// Reads up to the packet at `target` without decoding; false where the file ends before.
  private mutating func readThrough(to target: Int64) -> Bool {
    while readPacket() {
      if let ticks = packet.decodingTicks ?? packet.presentationTicks, ticks >= target {
        phase = .holdingFirstPacket
        return true
      }
      packet.clear()
    }
    return false
  }

  /// Goes on to the next block; nil after the last one or once cancelled.
  public mutating func next() -> SoundBlock? {
    guard let block = following else { return nil }
    packetNumber = followingNumber
    frame.clear()
    unsafe av_frame_move_ref(frame.raw, followingFrame.raw)
    following = decode()
    return block
  }

  /// Appends the samples of the block that ``next()`` answered to `samples`. Once per block.
  public mutating func readSamples(into samples: inout [Float]) {
    do throws(FFmpegError) {
      if converter?.accepts(frame) != true {
        converter = try SampleConverter.make(for: frame, path: demuxer.path)
      }
      try converter?.convert(frame, into: &samples)
    } catch {
      losses.notePacket(error)
    }
  }

  /// The next block that has samples, which are then in `followingFrame`.
  private mutating func decode() -> SoundBlock? {
    while !cancellation.isCancelled, phase != .ended {
      do throws(FFmpegError) {
        while let block = try decoder.receive(into: followingFrame) {
          guard block.sampleCount > 0 else { continue }
          followingNumber = max(0, readCount - 1)
          return block
        }
        try advance()
      } catch {
        losses.notePacket(error)
      }
    }
    return nil
  }

  /// Gives the decoder its next packet, or ends it.
  private mutating func advance() throws(FFmpegError) {
    switch phase {
    case .decoding where !readPacket():
      decoder.finish()
      phase = .draining
    case .holdingFirstPacket, .decoding:
      phase = .decoding
      defer { packet.clear() }
      if readCount == 0 {
        firstPacketTime = packet.presentationTicks.flatMap {
          MediaTime(ticks: $0, timeBase: decoder.timeBase)
        }
      }
      readCount += 1
      try decoder.send(packet)
    case .draining, .ended:
      phase = .ended
    }
  }

  /// Whether another packet was read. A failed read is tried again a few times: some demuxers
  /// find their way back behind damage.
  private mutating func readPacket() -> Bool {
    while !cancellation.isCancelled {
      do throws(FFmpegError) {
        let found = try demuxer.read(into: packet)
        if found { failedReads = 0 }
        return found
      } catch {
        failedReads += 1
        guard failedReads < MediaFile.largestRunOfFailures, !error.isCancellation else {
          losses.noteEnd(error)
          return false
        }
      }
    }
    return false
  }
}

extension MediaTime {
  /// The last tick of a stream's time base that does not lie after this time; nil where there is
  /// none.
  fileprivate func ticks(in timeBase: Ratio) -> Int64? {
    let nanoseconds = Int128(nanoseconds) * Int128(timeBase.denominator)
    let unit = Int128(timeBase.numerator) * 1_000_000_000
    guard unit > 0 else { return nil }
    let (quotient, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit)
    return Int64(exactly: rest < 0 ? quotient - 1 : quotient)
  }
}
