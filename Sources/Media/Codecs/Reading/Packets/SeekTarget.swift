/// The target of a seek, and the packet by which the arrival there is recognized.
struct SeekTarget {
  /// The number of the packet that confirms the arrival: the wanted packet or an earlier one.
  var packet: Int
  /// The byte offset of ``packet`` in the file.
  var position: Int64
  /// The argument of the demuxer's seek: a byte offset or a decoding timestamp.
  var place: Int64
  /// The decoding timestamp of ``packet``, for containers in which offsets may repeat; otherwise
  /// `nil`.
  var ticks: Int64?
}

extension ContainerTraits {
  /// Computes the seek after which packet number `packet` is read; returns `nil` if the file must
  /// be read from the start.
  func place(of packet: Int, in index: PacketIndex) -> SeekTarget? {
    guard packet > 0, packet < index.count else { return nil }
    var first = packet
    if positioning == .index {
      let keyframe = index.keyframe(upTo: packet)
      if !index.keyframes.isEmpty {
        guard let keyframe else { return nil }
        first = Int(index.keyframes[keyframe])
      }
      let ticks = keyframe.map { index.keyframeTicks[$0] } ?? index.ticks[packet]
      return SeekTarget(
        packet: first, position: index.positions[first], place: ticks, ticks: ticks)
    }
    // Packets of one page or block share its offset; only the first of them can be recognized.
    while first > 0,
      index.positions[first] < 0 || index.positions[first - 1] == index.positions[first]
    {
      first -= 1
    }
    let position = index.positions[first]
    guard first > 0, position >= 0 else { return nil }
    guard positioning == .cluster else {
      return SeekTarget(packet: first, position: position, place: position, ticks: nil)
    }
    guard let cluster = index.seekPoints.last(where: { $0 <= position }) else { return nil }
    return SeekTarget(packet: first, position: position, place: cluster, ticks: nil)
  }
}
