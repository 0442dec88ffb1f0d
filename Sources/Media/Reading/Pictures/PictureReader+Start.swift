import TesseraSystem

extension PictureSource {
  /// Whether the picture of a packet is shown where decoding begins with packet number `start`:
  /// pictures before a keyframe, and before the first one that is whole, depend on others.
  func isShown(_ packet: Int, from start: Int) -> Bool {
    guard index.isShown(packet) else { return false }
    if start > track.packets.lowerBound { return index.ticks[packet] >= index.ticks[start] }
    guard let first = track.firstPicture, !track.isCounted else { return true }
    return index.ticks[packet] >= index.ticks[first.packet]
  }

  /// The packets that a decoder has to have seen which begins at packet number `start`.
  func lessons(before start: Int) -> [Int] {
    guard start > track.packets.lowerBound else { return [] }
    let changes = (track.packets.lowerBound...start).last(where: index.changesParameters)
    return (track.needsFirstPacket ? [0] : []) + (changes.map { [$0] } ?? [])
  }
}

extension StreamDecoder {
  /// Shows the decoder a packet, so that it knows what is said there only.
  func learn(_ lesson: Int, of source: PictureSource, _ cancellation: Cancellation) {
    // A change of parameters may stand before the packet.
    let first = max(0, lesson - 1)
    do {
      var packets = try PacketStream.open(
        source.path, stream: source.track.stream.index, source.index, from: first,
        cancellation: cancellation)
      let packet = try Packet.allocate()
      while let number = try packets.read(into: packet), number < lesson { packet.clear() }
      try send(packet, number: lesson)
    } catch {
      _ = FFmpegLog.takeLastLine()
    }
    flush()
  }
}
