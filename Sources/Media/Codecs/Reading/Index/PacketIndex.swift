import TesseraTimeline

/// The packets of one stream as a scan found them: byte offsets for seeking and corrected
/// timestamps. Takes about 13 bytes per packet in memory, at most 8 in a file.
package struct PacketIndex: Hashable, Sendable {
  /// The timestamp of each packet in ticks of the track's clock, with wrong ones corrected.
  package internal(set) var ticks = PackedIntegerArray()
  /// The byte offset of each packet in the file; -1 if unknown.
  package internal(set) var positions = PackedIntegerArray()
  /// The payload size of each packet, in bytes.
  package internal(set) var sizes: [Int32] = []
  /// For each packet, the sum of ``keyFlag``, ``shownFlag``, ``parametersFlag`` and ``corruptFlag``
  /// that apply.
  var flags: [UInt8] = []
  /// The numbers of the packets at which decoding can start, in decoding order.
  package internal(set) var keyframes: [Int32] = []
  /// The original decoding timestamp of each keyframe, which demuxers with an own index seek to.
  var keyframeTicks: [Int64] = []
  /// The byte offsets to which a demuxer can seek if it cannot seek to every packet, in ascending
  /// order.
  var seekPoints: [Int64] = []
  /// The number of samples in each audio packet; empty for pictures.
  package internal(set) var samples = PacketSampleCounts()
  /// A hash of the payloads of each block of ``blockLength`` packets.
  package internal(set) var payloadHashes: [UInt64] = []

  /// The number of packets that share one payload hash.
  package static let blockLength = 32

  static let keyFlag: UInt8 = 1
  static let shownFlag: UInt8 = 2
  static let parametersFlag: UInt8 = 4
  static let corruptFlag: UInt8 = 8

  package init() {}

  package var count: Int { ticks.count }

  /// True if decoding can start with packet number `packet`.
  package func isKeyframe(_ packet: Int) -> Bool { flags[packet] & Self.keyFlag != 0 }

  /// True if packet number `packet` is shown or heard, and not decoded for reference only.
  package func isShown(_ packet: Int) -> Bool { flags[packet] & Self.shownFlag != 0 }

  /// True if packet number `packet` carries new decoder parameters.
  func changesParameters(_ packet: Int) -> Bool { flags[packet] & Self.parametersFlag != 0 }

  /// True if parts of packet number `packet`, or packets before it, are missing.
  func isCorrupt(_ packet: Int) -> Bool { flags[packet] & Self.corruptFlag != 0 }

  /// Returns the byte range of the file that a reader of `packets` needs, from the seek target to
  /// the end of the last packet; `nil` if no offset is known.
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

  /// Returns the index into ``keyframes`` of the last keyframe up to packet number `packet`; `nil`
  /// if there is none.
  func keyframe(upTo packet: Int) -> Int? {
    let next = keyframes.partitioningIndex { $0 > packet }
    return next > 0 ? next - 1 : nil
  }
}

extension PacketIndex {
  /// Creates the index of `stream` from its `stretches`, which contain the corrected timestamps of
  /// all packets.
  init(
    _ stream: StreamPackets, _ stretches: [ClockStretch], payloadHashes: [UInt64],
    seekPoints: [Int64]
  ) {
    ticks = PackedIntegerArray(stretches.lazy.flatMap(\.ticks))
    positions = PackedIntegerArray(stream.packets.lazy.map(\.position))
    sizes = stream.packets.map { Int32(clamping: $0.size) }
    let isShown = stretches.flatMap(\.isShown)
    flags = zip(stream.packets, isShown).map { packet, isShown in
      (packet.isKeyframe ? Self.keyFlag : 0) | (isShown ? Self.shownFlag : 0)
        | (packet.changesParameters ? Self.parametersFlag : 0)
        | (packet.isCorrupt ? Self.corruptFlag : 0)
    }
    self.payloadHashes = payloadHashes
    samples = stream.samples
    self.seekPoints = seekPoints
    guard stream.info.kind == .video else { return }
    keyframes = flags.indices.filter { flags[$0] & Self.keyFlag != 0 }.map(Int32.init)
    keyframeTicks = keyframes.map {
      let packet = stream.packets[Int($0)]
      return packet.decoding ?? packet.presentation ?? ticks[Int($0)]
    }
  }
}
