import TesseraTimeline

/// The packets of one stream as a scan found them: what a reader needs to go to any of them, and
/// when each is shown. About 13 bytes a packet in memory, at most 8 in a file.
package struct PacketIndex: Hashable, Sendable {
  /// When each packet is shown or heard, in ticks of its track's clock, wrong times mended.
  package internal(set) var ticks = PackedNumbers()
  /// The byte where each begins in the file; -1 where that is not known.
  package internal(set) var positions = PackedNumbers()
  /// The payload of each in bytes.
  package internal(set) var sizes: [Int32] = []
  var flags: [UInt8] = []
  /// The packets with which decoding can begin, in decoding order.
  package internal(set) var keyframes: [Int32] = []
  /// The file's own decoding time of each keyframe, which demuxers with an index look for.
  var keyframeTicks: [Int64] = []
  /// The bytes at which a demuxer can be set down that cannot be at any packet, ascending.
  var seekPoints: [Int64] = []
  /// How many samples each packet of sound holds; none of pictures.
  package internal(set) var samples = SampleCounts()
  /// A hash of the payloads of every ``blockLength`` packets.
  package internal(set) var payloadHashes: [UInt64] = []

  /// How many packets have one payload hash.
  package static let blockLength = 32

  static let keyFlag: UInt8 = 1
  static let shownFlag: UInt8 = 2
  static let parametersFlag: UInt8 = 4
  static let corruptFlag: UInt8 = 8

  /// An index without packets.
  package init() {}

  /// The number of packets.
  package var count: Int { ticks.count }

  /// Whether decoding can begin with packet number `packet`.
  package func isKeyframe(_ packet: Int) -> Bool { flags[packet] & Self.keyFlag != 0 }

  /// Whether the pictures or the sound of packet number `packet` are shown or heard, not only
  /// decoded.
  package func isShown(_ packet: Int) -> Bool { flags[packet] & Self.shownFlag != 0 }

  /// Whether the decoder's parameters change with packet number `packet`.
  func changesParameters(_ packet: Int) -> Bool { flags[packet] & Self.parametersFlag != 0 }

  /// Whether bytes of packet number `packet`, or packets before it, are missing.
  func isCorrupt(_ packet: Int) -> Bool { flags[packet] & Self.corruptFlag != 0 }

  /// The bytes that a reader of the packets with the numbers `packets` takes from the file, as far
  /// as they are known: from where it is set down to the end of the last one.
  package func bytes(of packets: Range<Int>) -> Range<Int>? {
    var (start, end) = (Int64.max, Int64(0))
    for packet in packets.clamped(to: 0..<count) where positions[packet] >= 0 {
      start = min(start, positions[packet])
      end = max(end, positions[packet] +| Int64(sizes[packet]))
    }
    guard start < end else { return nil }
    let next = seekPoints.partitioningIndex { $0 > start }
    return Int(next > 0 ? seekPoints[next - 1] : start)..<Int(end)
  }

  /// The place among ``keyframes`` of the last one up to packet number `packet`; nil where there
  /// is none.
  func keyframe(upTo packet: Int) -> Int? {
    let next = keyframes.partitioningIndex { $0 > packet }
    return next > 0 ? next - 1 : nil
  }
}

extension PacketIndex {
  /// The index of a stream whose packets make those stretches.
  init(_ stream: StreamFacts, _ stretches: [Stretch], payloadHashes: [UInt64], seekPoints: [Int64])
  {
    ticks = PackedNumbers(stretches.lazy.flatMap(\.ticks))
    positions = PackedNumbers(stream.packets.lazy.map(\.position))
    sizes = stream.packets.map { Int32(clamping: $0.size) }
    let isShown = stretches.flatMap(\.isShown)
    flags = zip(stream.packets, isShown).map { packet, isShown in
      (packet.isKeyframe ? Self.keyFlag : 0) | (isShown ? Self.shownFlag : 0)
        | (packet.changesParameters ? Self.parametersFlag : 0)
        | (packet.isCorrupt ? Self.corruptFlag : 0)
    }
    self.payloadHashes = payloadHashes
    samples = stream.samples
    guard stream.info.kind == .video else {
      self.seekPoints = seekPoints
      return
    }
    keyframes = flags.indices.filter { flags[$0] & Self.keyFlag != 0 }.map(Int32.init)
    keyframeTicks = keyframes.map {
      let packet = stream.packets[Int($0)]
      return packet.decoding ?? packet.presentation ?? ticks[Int($0)]
    }
    self.seekPoints = seekPoints
  }
}
