/// Where a demuxer is set down so that a packet comes.
struct PacketPlace {
  /// The packet by which it is recognised that the demuxer is there: the wanted one, or one before.
  var packet: Int
  /// Its byte in the file.
  var position: Int64
  /// What the demuxer looks for: a byte, or a decoding time.
  var place: Int64
  /// Its decoding time, where positions may occur twice.
  var ticks: Int64?
}

extension ContainerTraits {
  /// Where the demuxer is set down so that packet number `packet` comes; nil where the file has to
  /// be read through.
  func place(of packet: Int, in index: PacketIndex) -> PacketPlace? {
    guard packet > 0, packet < index.count else { return nil }
    var first = packet
    if positioning == .index {
      let keyframe = index.keyframe(upTo: packet)
      if !index.keyframes.isEmpty {
        guard let keyframe else { return nil }
        first = Int(index.keyframes[keyframe])
      }
      let ticks = keyframe.map { index.keyframeTicks[$0] } ?? index.ticks[packet]
      return PacketPlace(
        packet: first, position: index.positions[first], place: ticks, ticks: ticks)
    }
    // Several packets of one page or block have its position; only the first is recognised.
    while first > 0,
      index.positions[first] < 0 || index.positions[first - 1] == index.positions[first]
    {
      first -= 1
    }
    let position = index.positions[first]
    guard first > 0, position >= 0 else { return nil }
    guard positioning == .cluster else {
      return PacketPlace(packet: first, position: position, place: position, ticks: nil)
    }
    guard let cluster = index.seekPoints.last(where: { $0 <= position }) else { return nil }
    return PacketPlace(packet: first, position: position, place: cluster, ticks: nil)
  }
}
