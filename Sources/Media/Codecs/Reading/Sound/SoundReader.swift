import CTesseraFFmpeg
package import TesseraSystem
import TesseraTimeline

/// Reads one audio track block by block: first a block's metadata, then its samples as interleaved
/// stereo at the block's sample rate.
///
/// Damage in the file never throws: it is counted in ``losses``, and reading continues. A reader
/// may move between threads but must not be used by two at once.
package struct SoundReader: ~Copyable {
  /// The block after the one that ``next()`` returned; `nil` after the last one.
  package private(set) var following: SoundBlockInfo?

  /// The number within the track of the packet from which the last block of ``next()`` was decoded.
  package private(set) var packetNumber = 0

  private let source: SoundSource
  private var packets: PacketStream
  private var decoder: AudioDecoder
  private let gaps: [Int: Int]
  private let cancellation: Cancellation
  private let packet: Packet
  private let frame: Frame
  private let followingFrame: Frame
  private var converter: SampleConverter?
  private var followingNumber = 0
  private var phase = Phase.decoding
  private var count = SoundLossCounter()

  /// The progress of decoding: packets are sent, the decoder is flushed, nothing is left.
  private enum Phase {
    case decoding
    case draining
    case ended
  }

  /// Opens a reader of `source` that starts with packet number `first` of the track. `gaps` maps
  /// packet numbers to the number of samples, at 48 kHz, missing before them. Codecs with
  /// concealment fill these gaps in extra blocks before those of the packet.
  ///
  /// - Throws: ``MediaError`` if the file or its decoder cannot be opened.
  package static func open(
    _ source: SoundSource, from first: Int = 0, filling gaps: [Int: Int] = [:],
    cancellation: Cancellation
  ) throws(MediaError) -> SoundReader {
    let packets = try PacketStream.open(
      source.path, stream: source.track.stream.index, source.index,
      from: source.track.packets.lowerBound + first, cancellation: cancellation)
    do throws(FFmpegError) {
      let decoder = try AudioDecoder.open(stream: source.track.stream.index, of: packets.demuxer)
      var reader = SoundReader(
        source: source, packets: packets, decoder: decoder, gaps: gaps, cancellation: cancellation,
        packet: try Packet.allocate(), frame: try Frame.allocate(),
        followingFrame: try Frame.allocate())
      reader.count.shrunkBytes = reader.packets.missingBytes
      reader.following = reader.decode()
      return reader
    } catch {
      throw MediaError(path: source.path, reason: .nothingDecodable(error.words))
    }
  }

  /// The losses so far.
  package var losses: [MediaLoss] { count.losses(of: source) }

  /// Advances to the next block; returns `nil` after the last one and after a cancellation.
  package mutating func next() -> SoundBlockInfo? {
    guard let block = following else { return nil }
    packetNumber = followingNumber
    frame.clear()
    unsafe av_frame_move_ref(frame.raw, followingFrame.raw)
    following = decode()
    return block
  }

  /// Appends the samples of the block that ``next()`` returned to `samples`. Must be called at most
  /// once per block.
  package mutating func readSamples(into samples: inout [Float]) {
    do throws(FFmpegError) {
      if converter?.accepts(frame) != true {
        converter = try SampleConverter.make(
          for: frame, channel: source.channel, path: source.path)
      }
      try converter?.convert(frame, into: &samples)
    } catch {
      count.notePacket(error)
    }
  }

  /// Decodes the next block with samples into `followingFrame`.
  private mutating func decode() -> SoundBlockInfo? {
    while !cancellation.isCancelled, phase != .ended {
      do throws(FFmpegError) {
        while let block = try decoder.receive(into: followingFrame) {
          if block.sampleCount > 0 { return timed(block) }
        }
      } catch {
        count.notePacket(error)
      }
      advance()
    }
    return nil
  }

  /// Returns `block` with its time.
  private mutating func timed(_ block: SoundBlockInfo) -> SoundBlockInfo {
    guard let packet = block.packet else { return block }
    followingNumber = packet - source.track.packets.lowerBound
    var timed = block
    timed.time = (source.time(of: packet) + block.skipped).rounded
    return timed
  }

  /// Sends the next packet to the decoder, or starts the flush.
  private mutating func advance() {
    guard phase == .decoding else {
      phase = .ended
      return
    }
    do throws(FFmpegError) {
      guard let number = try packets.read(into: packet), number < source.track.packets.upperBound
      else { return finishDecoder() }
      do throws(FFmpegError) {
        let gap = gaps[number - source.track.packets.lowerBound] ?? 0
        try decoder.send(packet, number: number, after: gap)
      } catch {
        count.notePacket(error)
      }
      packet.clear()
    } catch {
      if !error.isCancellation { count.noteEnd(error) }
      finishDecoder()
    }
  }

  private mutating func finishDecoder() {
    decoder.finish()
    phase = .draining
  }
}
