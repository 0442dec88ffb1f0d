/// The binary format of an index: a head, blocks of ``blockLength`` packets, and a checksum.
/// Numbers are coded as differences from predicted values, in LEB128 with zigzag.
extension PacketIndex {
  private static let magic = Array("TSIX3\n".utf8)

  /// The index in the binary format.
  package var encoded: [UInt8] {
    var writer = VarintWriter(bytes: Self.magic)
    writer.bytes.reserveCapacity(8 * count + 64)
    writer.write(Int64(count))
    writer.write(keyframes.isEmpty ? 0 : 1)
    writer.write(differencesOf: seekPoints)
    samples.write(to: &writer)
    var keyframe = 0
    var expected = PacketPrediction()
    for start in stride(from: 0, to: count, by: Self.blockLength) {
      for packet in start..<min(count, start + Self.blockLength) {
        writer.write(Int64(sizes[packet]) << 4 | Int64(flags[packet]))
        writer.write(ticks[packet] &- expected.ticks)
        writer.write(positions[packet] &- expected.position)
        expected.follow(ticks[packet], positions[packet], size: Int64(sizes[packet]))
        if keyframes.indices.contains(keyframe), keyframes[keyframe] == packet {
          writer.write(ticks[packet] &- keyframeTicks[keyframe])
          keyframe += 1
        }
      }
      writer.write(word: payloadHashes[start / Self.blockLength])
    }
    writer.write(word: PayloadHasher(writer.bytes).low)
    return writer.bytes
  }

  /// Returns the name of an encoded index: the hash of its bytes.
  package static func name(of encoded: [UInt8]) -> String { PayloadHasher(encoded).text }

  /// Returns `bytes` with the last eight replaced by the matching checksum. Lets fuzzing change an
  /// index and still reach its parser.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var writer = VarintWriter(bytes: bytes.dropLast(8))
    writer.write(word: PayloadHasher(writer.bytes).low)
    return writer.bytes
  }

  private mutating func reserveCapacity(_ count: Int) {
    ticks.reserveCapacity(count)
    positions.reserveCapacity(count)
    sizes.reserveCapacity(count)
    flags.reserveCapacity(count)
  }

  /// Decodes an index; returns `nil` for anything that ``encoded`` does not produce.
  package init?(encoded bytes: [UInt8]) {
    guard bytes.count > Self.magic.count + 8, bytes.starts(with: Self.magic) else { return nil }
    let checksum = PayloadHasher(bytes.dropLast(8)).low
    var reader = VarintReader(bytes: bytes, next: Self.magic.count, end: bytes.count - 8)
    guard reader.word(at: bytes.count - 8) == checksum, let count = reader.number(), count >= 0,
      count < bytes.count, let isOfPictures = reader.number(),
      let seekPoints = reader.differences(),
      let samples = PacketSampleCounts(&reader, count: Int(count))
    else { return nil }
    (self.seekPoints, self.samples) = (seekPoints, samples)
    reserveCapacity(Int(count))
    var expected = PacketPrediction()
    while ticks.count < count {
      for packet in ticks.count..<min(Int(count), ticks.count + Self.blockLength) {
        guard let head = reader.number(), head >= 0, head >> 4 <= Int32.max,
          let change = reader.number(), let distance = reader.number()
        else { return nil }
        let (tick, place) = (expected.ticks &+ change, expected.position &+ distance)
        expected.follow(tick, place, size: head >> 4)
        ticks.append(tick)
        positions.append(place)
        sizes.append(Int32(head >> 4))
        flags.append(UInt8(head & 15))
        guard isOfPictures != 0, isKeyframe(packet) else { continue }
        guard let distance = reader.number() else { return nil }
        keyframes.append(Int32(packet))
        keyframeTicks.append(tick &- distance)
      }
      guard let hash = reader.word() else { return nil }
      payloadHashes.append(hash)
    }
    guard reader.isAtEnd else { return nil }
  }
}

/// Predicts the next packet of an index: the last packet's end as its offset, and the last distance
/// between timestamps.
private struct PacketPrediction {
  private(set) var ticks: Int64 = 0
  private(set) var position: Int64 = 0
  private var last: Int64?

  /// Updates the prediction after the given packet.
  mutating func follow(_ ticks: Int64, _ position: Int64, size: Int64) {
    self.ticks = ticks &+ (last.map { ticks &- $0 } ?? 0)
    self.position = position &+ size
    last = ticks
  }
}
