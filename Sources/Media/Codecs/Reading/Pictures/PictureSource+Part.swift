import TesseraTimeline

extension PictureSource {
  /// The properties that affect decoding before any packet is read. Independent of the file's path
  /// and of how the recording continues, for use in digests.
  package var head: PictureSource {
    var head = self
    (head.path, head.index, head.order) = ("", PacketIndex(), [])
    // Only the fact that fields are shown separately matters; their times are planned elsewhere.
    head.pairTicks = pairTicks.map { _ in 0 }
    head.track.stream.video?.averageFrameRate = Ratio(0, 0)
    (head.track.stream.language, head.track.stream.title) = (nil, nil)
    head.track.packets = track.packets.lowerBound..<track.packets.lowerBound
    head.track.index = ""
    // The place on the timeline is planned elsewhere; readers use only packets' ticks.
    head.track.clock = TrackTimeMapping(start: .zero, firstTicks: 0, timeBase: .one)
    (head.track.start, head.track.end) = (.zero, .zero)
    return head
  }
}

/// Cumulative hashes of a stream's packets: of their payloads and of their metadata in the index.
package struct PacketDigests: Sendable {
  /// The hash from the first packet up to the end of each block of ``PacketIndex/blockLength``
  /// packets.
  private let blocks: [PayloadHasher]

  /// Computes the hashes of the packets in `index`.
  package init(_ index: PacketIndex) {
    var (blocks, hash): ([PayloadHasher], PayloadHasher) = ([], PayloadHasher())
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

  /// Returns the hash of all packets before number `end`, rounded up to whole blocks; empty if
  /// there are none.
  package func name(upTo end: Int) -> String {
    guard end > 0, !blocks.isEmpty else { return "" }
    return blocks[min(blocks.count, (end - 1) / PacketIndex.blockLength + 1) - 1].text
  }
}

extension PayloadHasher {
  /// Adds the numbers' bytes in memory order.
  fileprivate mutating func add(numbers: ArraySlice<some FixedWidthInteger>) {
    unsafe numbers.withUnsafeBytes { unsafe add($0) }
  }
}
