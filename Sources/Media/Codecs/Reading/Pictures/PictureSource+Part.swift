import TesseraTimeline

extension PictureSource {
  /// What readers know of the source before they read a packet: the same wherever its file lies and
  /// however it goes on.
  package var head: PictureSource {
    var head = self
    (head.path, head.index, head.order) = ("", PacketIndex(), [])
    // When fields are shown is decided, too.
    head.pairTicks = pairTicks.map { _ in 0 }
    head.track.stream.video?.averageFrameRate = Ratio(0, 0)
    (head.track.stream.language, head.track.stream.title) = (nil, nil)
    head.track.packets = track.packets.lowerBound..<track.packets.lowerBound
    head.track.index = ""
    // Where it lies on the timeline is decided; readers look at packets' ticks alone.
    head.track.clock = TrackClock(start: .zero, firstTicks: 0, timeBase: .one)
    (head.track.start, head.track.end) = (.zero, .zero)
    return head
  }
}

/// Hashes of all packets of a stream up to any one: of their payloads, and of what the index says
/// of them.
package struct PacketDigests: Sendable {
  /// The hashes from the stream's first packet to the end of each block of payloads.
  private let blocks: [PayloadHash]

  /// The hashes of the packets in `index`.
  package init(_ index: PacketIndex) {
    var (blocks, hash): ([PayloadHash], PayloadHash) = ([], PayloadHash())
    var (keyframe, seekPoint) = (0, 0)
    for start in stride(from: 0, to: index.count, by: PacketIndex.blockLength) {
      let packets = start..<min(index.count, start + PacketIndex.blockLength)
      hash.add(numbers: Array(index.ticks[packets])[...])
      hash.add(numbers: Array(index.positions[packets])[...])
      hash.add(numbers: index.sizes[packets])
      hash.add(numbers: index.flags[packets])
      let block = start / PacketIndex.blockLength
      if index.payloadHashes.indices.contains(block) {
        hash.add(numbers: index.payloadHashes[block...block])
      }
      while keyframe < index.keyframes.count, index.keyframes[keyframe] < packets.upperBound {
        hash.add(numbers: index.keyframes[keyframe...keyframe])
        if index.keyframeTicks.indices.contains(keyframe) {
          hash.add(numbers: index.keyframeTicks[keyframe...keyframe])
        }
        keyframe += 1
      }
      let last = index.positions[packets].last ?? -1
      while seekPoint < index.seekPoints.count,
        index.seekPoints[seekPoint] <= last || packets.upperBound == index.count
      {
        hash.add(numbers: index.seekPoints[seekPoint...seekPoint])
        seekPoint += 1
      }
      blocks.append(hash)
    }
    self.blocks = blocks
  }

  /// A name of the packets up to number `end`, which is not among them, and of those that share a
  /// payload hash with them.
  package func name(upTo end: Int) -> String {
    guard end > 0, !blocks.isEmpty else { return "" }
    return blocks[min(blocks.count, (end - 1) / PacketIndex.blockLength + 1) - 1].text
  }
}

extension PayloadHash {
  /// Adds numbers as they are in memory.
  fileprivate mutating func add(numbers: ArraySlice<some FixedWidthInteger>) {
    unsafe numbers.withUnsafeBytes { unsafe add($0) }
  }
}
